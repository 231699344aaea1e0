// Web page of a device with the behaviour `hostile`. It tries to act as the user who opens it while signed in to the
// console, and shows the result of each attempt. The port of the console is taken from the URL fragment: #<port>.

export const HOSTILE_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Free firmware</title>
<h1>Free firmware</h1>
<pre id="result"></pre>
<script>
const hub = location.protocol + '//' + location.hostname + ':' + (location.hash.slice(1) || 3000)
const within = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, 2000, 'nothing'))])
const loads = (element, url, name = 'src') =>
  new Promise((done) => {
    element.onload = () => done('loaded')
    element.onerror = () => done('refused')
    element[name] = url
    document.body.append(element)
  })
const send = (path, init) => fetch(hub + path, { credentials: 'include', ...init }).then((response) => response.type)
const createElement = (tag, more) => Object.assign(document.createElement(tag), more)
const attempts = {
  read: () => send('/api/session'),
  logout: () => send('/api/logout', { mode: 'no-cors', referrerPolicy: 'no-referrer' }),
  logoutByImage: () => loads(new Image(), hub + '/api/logout?image'),
  logoutByScript: () => loads(createElement('script'), hub + '/api/logout?script'),
  logoutByFrame: () => loads(createElement('iframe'), hub + '/api/logout?frame'),
  addChannel: () => send('/api/channel/add', { method: 'POST', mode: 'no-cors', body: '{"name":"Evil"}' }),
  form() {
    const form = createElement('form', { action: hub + '/api/channel/add', method: 'post', enctype: 'text/plain' })
    form.append(createElement('input', { name: '{"name":"Evil","x":"', value: '"}' }))
    document.body.append(form)
    form.submit()
    return 'sent'
  },
  beacon: () => String(navigator.sendBeacon(hub + '/api/channel/add', '{"name":"Evil"}')),
  socket: () =>
    new Promise((done) => {
      const socket = new WebSocket(hub.replace('http', 'ws') + '/api/socket')
      socket.onopen = () => done('open')
      socket.onerror = () => done('refused')
    }),
  opener() {
    if (!opener) return 'none'
    opener.location = 'about:blank#taken'
    return 'tried'
  },
  readCookie: () => (document.cookie.includes('mwcloud-sid') || document.cookie.includes('mwcloud-page') ? 'read' : 'none'),
  setCookie() {
    for (const path of ['/', '/api', '/api/session']) document.cookie = 'mwcloud-sid=evil; path=' + path
    return 'tried'
  },
  worker: () => navigator.serviceWorker.register('/page.js').then(() => 'registered'),
  window() {
    const other = open(hub + '/api/logout?window')
    return other ? 'opened' : 'refused'
  }
}
async function result([name, attempt]) {
  const refusal = () => 'refused'
  return [name, await within(Promise.try(attempt).catch(refusal))]
}
Promise.all(Object.entries(attempts).map(result)).then((results) => {
  document.getElementById('result').textContent = JSON.stringify(Object.fromEntries(results))
})
</script>
</html>
`
