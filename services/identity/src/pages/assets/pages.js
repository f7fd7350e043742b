// Only a click sends a request, because programs that scan mails for dangerous links open every link.
const form = document.querySelector('form')
const button = document.querySelector('button')
const password = document.querySelector('input[name=password]')
const currentPassword = document.querySelector('#current-password')
const message = document.querySelector('#message')

const link = new URLSearchParams(location.hash.slice(1))
const token = link.get('token')
// The token is removed from the address bar and the history, where others could see or share it.
history.replaceState(null, '', location.pathname)

if (link.has('confirmed') && form.dataset.afterConfirmation) {
  document.querySelector('#explanation').textContent = form.dataset.afterConfirmation
}
if (token) form.hidden = false
else showMessage('This link is incomplete. Please open it again from the email.')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (button.disabled) return
  button.disabled = true
  showMessage('One moment…')
  void send().then(({ text, isOver }) => {
    form.hidden = isOver
    button.disabled = false
    showMessage(text)
  })
})

// Another link to this page, opened in the same tab, changes only the fragment and does not reload the page.
addEventListener('hashchange', () => location.reload())

async function send() {
  try {
    const response = await fetch(location.pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(password?.value ? { token, password: password.value } : { token }),
      credentials: 'omit',
    })
    const { message: text, code, resetToken } = await response.json()
    if (response.ok && resetToken) return choosePassword(resetToken)
    if (response.ok) return { isOver: true, text: form.dataset.done }
    if (code === 'missing_credentials' && currentPassword) currentPassword.hidden = false
    return { isOver: code === 'invalid_token', text }
  } catch {
    return { isOver: false, text: 'The shop cannot be reached right now. Please try again in a moment.' }
  }
}

// The token stays in the fragment, as in the link of a mail.
function choosePassword(resetToken) {
  location.replace(`../password/reset#token=${resetToken}&confirmed`)
  return { isOver: true, text: 'One moment…' }
}

function showMessage(text) {
  message.textContent = text
  // The focused button may have been removed.
  if (form.hidden) message.focus()
}
