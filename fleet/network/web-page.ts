// Web page of a device: shows the model and the live status, and changes the name. The page does not depend on the hub.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'
import { type Appliance, isDeviceName } from '../apis/appliance.ts'
import type { Behaviour } from '../behaviour.ts'
import { HOSTILE_PAGE } from './hostile-page.ts'

/** Milliseconds between status messages. */
const STATUS_INTERVAL = 1000
/** Maximum size in bytes of a new name. */
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
<p id="message" role="status"></p>
<script src="/page.js"></script>
</html>
`

const STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem } dd { margin: 0 }
`

const SCRIPT = `const message = document.getElementById('message')
function connect() {
  const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/[#?].*/, '') + 'live')
  socket.onmessage = ({ data }) => {
    for (const [id, text] of Object.entries(JSON.parse(data))) document.getElementById(id).textContent = text
  }
  socket.onclose = () => setTimeout(connect, 3000)
}
connect()
document.getElementById('rename').onsubmit = async (event) => {
  event.preventDefault()
  const { status } = await fetch('/name', { method: 'POST', body: new FormData(event.target).get('name') })
  message.textContent = status === 204 ? 'Saved.' : 'This name is not valid.'
}
`

const FILES: Readonly<Record<string, [type: string, text: string]>> = {
  '/': ['text/html;charset=utf-8', PAGE],
  '/page.css': ['text/css', STYLE],
  '/page.js': ['text/javascript', SCRIPT]
}

/** Creates a web server that does not listen: connections are passed to it with the event 'connection'. */
export function createWebPage(appliance: Appliance, behaviour: () => Behaviour): Server {
  function serializeStatus(): string {
    const { entry, machine } = appliance
    const { signal, cpu, upTime } = machine.read()
    return JSON.stringify({
      name: appliance.name(),
      model: entry.model.name,
      serial: entry.sn,
      firmware: appliance.firmware(),
      input: signal ? `${signal.cx}×${signal.cy} ${signal.rate} Hz` : 'no signal',
      cpu: `${Math.round(cpu)} %`,
      up: `${Math.round(upTime)} s`
    })
  }

  async function rename(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let name = ''
    for await (const chunk of request) {
      name += chunk
      if (name.length > BODY_MAX) break
    }
    const isValid = isDeviceName(name)
    if (isValid) appliance.rename(name)
    response.writeHead(isValid ? 204 : 400).end()
  }

  const server = createServer((request, response) => {
    const current = behaviour()
    if (current === 'lie') return void response.socket?.end('HTTP/9.9 what\r\n\r\n<h1>It works!')
    if (current === 'refuse') return void response.writeHead(503).end('busy\n')
    const { pathname } = new URL(request.url ?? '/', 'http://device')
    if (pathname === '/name' && request.method === 'POST')
      return void rename(request, response).catch(() => response.destroy())
    const isHostile = current === 'hostile'
    const [type, text] = (isHostile && pathname === '/' ? ['text/html', HOSTILE_PAGE] : FILES[pathname]) ?? []
    if (!type || request.method !== 'GET') return void response.writeHead(404).end('not here\n')
    // A hostile device tries to overwrite the cookies of the hub.
    const cookies = isHostile ? ['mwcloud-sid=evil; Path=/', 'mwcloud-uid=evil; Path=/'] : []
    response.writeHead(200, { 'content-type': type, ...(cookies.length > 0 && { 'set-cookie': cookies }) }).end(text)
  })
  // Connections end with the device link, so they do not need a keep-alive timeout.
  server.keepAliveTimeout = 0

  const sockets = new WebSocketServer({ server, path: '/live', maxPayload: BODY_MAX })
  sockets.on('connection', (socket) => {
    const sendStatus = () => behaviour() !== 'stall' && socket.bufferedAmount === 0 && socket.send(serializeStatus())
    const timer = setInterval(sendStatus, STATUS_INTERVAL)
    socket.on('error', () => {})
    socket.on('close', () => clearInterval(timer))
    sendStatus()
  })
  return server
}
