interface RazorpayResult {
  razorpay_payment_id: string
  razorpay_order_id: string
  razorpay_signature: string
}

interface RazorpayOptions {
  key: string
  order_id: string
  amount: number
  currency: string
  name: string
  prefill: { name: string; email: string; contact: string }
  handler: (result: RazorpayResult) => void
}

type Razorpay = new (options: RazorpayOptions) => { open: () => void }

declare global {
  interface Window {
    Razorpay?: Razorpay
  }
}

/** Opens Razorpay's form as soon as the page has its order, and sends the form's result to the shop. */
export function openRazorpay(): void {
  document.addEventListener('htmx:after:swap', () => void open(true))
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-opens-razorpay]')) void open(false)
  })
}

async function open(isFirst: boolean): Promise<void> {
  const place = document.querySelector<HTMLElement>('#razorpay')
  if (!place || (isFirst && place.dataset['opened'] !== undefined)) return
  place.dataset['opened'] = ''
  const problem = document.querySelector<HTMLElement>('#razorpay-problem')
  if (problem) problem.hidden = true
  try {
    await load(place.dataset['script'] ?? '')
    show(place)
  } catch {
    if (problem) problem.hidden = false
  }
}

function load(address: string): Promise<void> {
  if (window.Razorpay) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('the form of Razorpay could not be loaded')))
    script.src = address
    document.head.append(script)
  })
}

function show(place: HTMLElement): void {
  const form = place.querySelector('form')
  if (!window.Razorpay || !form) throw new Error('the form of Razorpay is missing')
  const {
    order = '',
    amount = '',
    currency = '',
    key = '',
    shop = '',
    name = '',
    email = '',
    phone = '',
  } = place.dataset
  const options: RazorpayOptions = {
    key,
    order_id: order,
    amount: Number(amount),
    currency,
    name: shop,
    prefill: { name, email, contact: phone },
    handler(result) {
      for (const [field, value] of Object.entries(result)) {
        const input = form.elements.namedItem(field)
        if (input instanceof HTMLInputElement && typeof value === 'string') input.value = value
      }
      form.requestSubmit()
    },
  }
  new window.Razorpay(options).open()
}
