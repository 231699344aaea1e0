// A device's own web page: what it is and how it is now, live, and its name to be changed. It knows nothing of the hub in between.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'
import { type Appliance, isDeviceName } from './apis/appliance.ts'
import type { Behaviour } from './behaviour.ts'
import { HOSTILE_PAGE } from './hostile-page.ts'

/** Milliseconds between two words about how it is. */
const PACE = 1000
/** Bytes of a new name. */
const BODY_MAX = 1024

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Device</title>
<link rel="stylesheet" href="/page.css">
<h1 id="name"></h1>
<dl><dt>Model<dd id="model"><dt>Serial number<dd id="serial"><dt>Firmware<dd id="firmware"><dt>Input<dd id="input">
<dt>CPU<dd id="cpu"><dt>Up time<dd id="up"></dl>
<form id="rename"><label>Name <input name="name" maxlength="64" required></label> <button>Save</button></form>
<p id="said" role="status"></p>
<script src="/page.js"></script>
</html>
`

const STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem } dd { margin: 0 }
`

const SCRIPT = `const said = document.getElementById('said')
function live() {
  const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/[#?].*/, '') + 'live')
  socket.onmessage = ({ data }) => {
    for (const [id, text] of Object.entries(JSON.parse(data))) document.getElementById(id).textContent = text
  }
  socket.onclose = () => setTimeout(live, 3000)
}
live()
document.getElementById('rename').onsubmit = async (event) => {
  event.preventDefault()
  const { status } = await fetch('/name', { method: 'POST', body: new FormData(event.target).get('name') })
  said.textContent = status === 204 ? 'Saved.' : 'This is no name for a device.'
}
`

const FILES: Readonly<Record<string, [type: string, text: string]>> = {
  '/': ['text/html;charset=utf-8', PAGE],
  '/page.css': ['text/css', STYLE],
  '/page.js': ['text/javascript', SCRIPT]
}

/** A web server that listens nowhere: connections are handed to it. */
export function createWebPage(appliance: Appliance, behaviour: () => Behaviour): Server {
  function shown(): string {
    const { entry, machine } = appliance
    const { signal, cpu, upTime } = machine.read()
    return JSON.stringify({
      ...{ name: appliance.name(), model: entry.model.name, serial: entry.sn, firmware: appliance.firmware() },
      input: signal ? `${signal.cx}×${signal.cy} ${signal.rate} Hz` : 'no signal',
      ...{ cpu: `${Math.round(cpu)} %`, up: `${Math.round(upTime)} s` }
    })
  }

  async function rename(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let name = ''
    for await (const chunk of request) {
      name += chunk
      if (name.length > BODY_MAX) break
    }
    const good = isDeviceName(name)
    if (good) appliance.rename(name)
    response.writeHead(good ? 204 : 400).end()
  }

  const server = createServer((request, response) => {
    const now = behaviour()
    if (now === 'lie') return void response.socket?.end('HTTP/9.9 what\r\n\r\n<h1>It works!')
    if (now === 'refuse') return void response.writeHead(503).end('busy\n')
    const { pathname } = new URL(request.url ?? '/', 'http://device')
    if (pathname === '/name' && request.method === 'POST')
      return void rename(request, response).catch(() => response.destroy())
    const [type, text] = (now === 'hostile' && pathname === '/' ? ['text/html', HOSTILE_PAGE] : FILES[pathname]) ?? []
    if (!type || request.method !== 'GET') return void response.writeHead(404).end('not here\n')
    // A hostile device tries to be taken for the hub.
    const cookies = now === 'hostile' ? ['mwcloud-sid=evil; Path=/', 'mwcloud-uid=evil; Path=/'] : []
    response.writeHead(200, { 'content-type': type, ...(cookies.length > 0 && { 'set-cookie': cookies }) }).end(text)
  })
  // The page's connections come over the link, which has its own ways to find that nobody is there any more.
  server.keepAliveTimeout = 0

  const sockets = new WebSocketServer({ server, path: '/live', maxPayload: BODY_MAX })
  sockets.on('connection', (socket) => {
    const tell = () => behaviour() !== 'stall' && socket.bufferedAmount === 0 && socket.send(shown())
    const timer = setInterval(tell, PACE)
    socket.on('error', () => {})
    socket.on('close', () => clearInterval(timer))
    tell()
  })
  return server
}
