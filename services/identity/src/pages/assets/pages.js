// Only a click sends anything: programs that look for dangerous links open every one of them.
const form = document.querySelector('form')
const button = document.querySelector('button')
const password = document.querySelector('input[name=password]')
const currentPassword = document.querySelector('#current-password')
const message = document.querySelector('#message')

const link = new URLSearchParams(location.hash.slice(1))
const token = link.get('token')
// Out of the address bar and the history, before anybody looks over a shoulder or shares the address.
history.replaceState(null, '', location.pathname)

if (link.has('confirmed') && form.dataset.afterConfirmation) {
  document.querySelector('#explanation').textContent = form.dataset.afterConfirmation
}
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
      body: JSON.stringify(password?.value ? { token, password: password.value } : { token }),
      credentials: 'omit',
    })
    const { message: text, code, resetToken } = await answer.json()
    if (answer.ok && resetToken) return choosePassword(resetToken)
    if (answer.ok) return { isOver: true, text: form.dataset.done }
    if (code === 'missing_credentials' && currentPassword) currentPassword.hidden = false
    return { isOver: code === 'invalid_token', text }
  } catch {
    return { isOver: false, text: 'The shop cannot be reached right now. Please try again in a moment.' }
  }
}

// The token stays behind the #, as in the link of a mail.
function choosePassword(resetToken) {
  location.replace(`../password/reset#token=${resetToken}&confirmed`)
  return { isOver: true, text: 'One moment …' }
}

function say(text) {
  message.textContent = text
  // The button that had the focus may be gone.
  if (form.hidden) message.focus()
}
