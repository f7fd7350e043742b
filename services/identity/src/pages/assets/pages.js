// Only a click sends anything: programs that look for dangerous links open every one of them.
const form = document.querySelector('form')
const button = document.querySelector('button')
const password = document.querySelector('input[name=password]')
const message = document.querySelector('#message')

const token = new URLSearchParams(location.hash.slice(1)).get('token')
// Out of the address bar and the history, before anybody looks over a shoulder or shares the address.
history.replaceState(null, '', location.pathname)

if (token) form.hidden = false
else say('This link is not complete. Please open it from the mail once more.')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (button.disabled) return
  button.disabled = true
  say('One moment …')
  void send().then(({ text, isOver }) => {
    form.hidden = isOver
    button.disabled = false
    say(text)
  })
})

// Another link to this page, opened where this one was, changes nothing but what stands behind the #.
addEventListener('hashchange', () => location.reload())

async function send() {
  try {
    const answer = await fetch(location.pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(password ? { token, password: password.value } : { token }),
      credentials: 'omit',
    })
    if (answer.ok) return { isOver: true, text: form.dataset.done }
    const { message: text, code } = await answer.json()
    return { isOver: code === 'invalid_token', text }
  } catch {
    return { isOver: false, text: 'The shop cannot be reached right now. Please try again in a moment.' }
  }
}

function say(text) {
  message.textContent = text
  // The button that had the focus may be gone.
  if (form.hidden) message.focus()
}
