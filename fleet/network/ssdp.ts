// SSDP of a demo device that is reached at an address: answers searches with the address of its description, as devices
// whose setting `use-ssdp` is on do.
import { createSocket } from 'node:dgram'
import type { RequestListener } from 'node:http'

const GROUP = '239.255.255.250'
const PORT = 1900
const DESCRIPTION = '/description.xml'
const ICON = '/icon.jpg'

export interface SsdpDevice {
  /** Address and port of its web server. */
  address: string
  port: number
  name: string
  model: string
  serial: string
}

/** Answers searches until it is closed. */
export function answerSearches({ address, port, serial }: SsdpDevice): { close(): void } {
  const answer = [
    'HTTP/1.1 200 OK',
    'CACHE-CONTROL: max-age=1800',
    'EXT:',
    `LOCATION: http://${address}:${port}${DESCRIPTION}`,
    'SERVER: Linux UPnP/1.0 demo/1.0',
    'ST: upnp:rootdevice',
    `USN: uuid:${serial}::upnp:rootdevice`,
    '',
    ''
  ].join('\r\n')
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  // Answers from the address of the device, of which the machine may have several.
  const sender = createSocket('udp4')
  const sockets = [socket, sender]
  for (const each of sockets) each.on('error', (error) => console.error(`No SSDP: ${error.message}`))
  socket.on('message', (message, from) => {
    if (/^M-SEARCH [\s\S]*^ST: *(upnp:rootdevice|ssdp:all)\b/m.test(String(message)))
      sender.send(answer, from.port, from.address)
  })
  sender.bind(0, address)
  socket.bind(PORT, () => socket.addMembership(GROUP, address))
  return {
    close() {
      for (const each of sockets) each.close()
    }
  }
}

/** Serves the description and the picture of the device, and leaves all other requests to `listener`. */
export function withDescription(
  device: () => SsdpDevice,
  icon: Uint8Array,
  listener: RequestListener
): RequestListener {
  return (request, response) => {
    if (request.url === ICON) response.setHeader('content-type', 'image/jpeg').end(icon)
    else if (request.url === DESCRIPTION) {
      const { address, port, name, model, serial } = device()
      response.setHeader('content-type', 'text/xml').end(`<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion><device>
<deviceType>urn:schemas-upnp-org:device:Basic:1</deviceType><friendlyName>${name}</friendlyName>
<manufacturer>Demo</manufacturer><modelName>${model}</modelName><serialNumber>${serial}</serialNumber>
<UDN>uuid:${serial}</UDN><presentationURL>http://${address}:${port}/</presentationURL>
<iconList><icon><mimetype>image/jpeg</mimetype><width>48</width><height>48</height><depth>24</depth><url>${ICON}</url></icon>
</iconList></device></root>`)
    } else listener(request, response)
  }
}
