// WS-Discovery for ONVIF cameras (ONVIF Core Specification, 7): cameras that answer the probe, with what their scopes
// say about them.
import { randomUUID } from 'node:crypto'
import { NAME_MAX, text } from '../adapters/fields.ts'
import { elementsAt, parseXml, textAt } from '../xml.ts'
import type { SearchNetwork } from './interfaces.ts'
import { askGroup } from './multicast.ts'

const GROUP = '239.255.255.250'
const PORT = 3702
/** Characters of a list of addresses or scopes that are read. */
const LIST_MAX = 4096
const SCOPE = 'onvif://www.onvif.org/'

const probe = (id: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"
 xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"
 xmlns:dn="http://www.onvif.org/ver10/network/wsdl"><s:Header>
<a:Action s:mustUnderstand="1">http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</a:Action>
<a:MessageID>urn:uuid:${id}</a:MessageID>
<a:To s:mustUnderstand="1">urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>
</s:Header><s:Body><d:Probe><d:Types>dn:NetworkVideoTransmitter</d:Types></d:Probe></s:Body></s:Envelope>`

/** A camera that answered. */
export interface WsDiscoveryAnswer {
  address: string
  port: number
  https: boolean
  name?: string
  model?: string
}

/** A value of the scopes, such as that of `onvif://www.onvif.org/name/Gate%202`. */
function scopeValue(scopes: readonly string[], name: string): string | undefined {
  const value = scopes.find((scope) => scope.startsWith(`${SCOPE}${name}/`))?.slice(SCOPE.length + name.length + 1)
  try {
    return value === undefined ? undefined : text(decodeURIComponent(value), NAME_MAX)
  } catch {
    return undefined
  }
}

/**
 * @param id of the probe that it has to answer
 * @returns undefined if it is no answer to it, or names no address of the machine that sent it
 */
export function readWsDiscoveryAnswer(message: string, sender: string, id: string): WsDiscoveryAnswer | undefined {
  const envelope = elementsAt(parseXml(message), 'Envelope')[0]
  if (textAt(envelope, NAME_MAX, 'Header', 'RelatesTo')?.endsWith(id) !== true) return undefined
  const match = elementsAt(envelope, 'Body', 'ProbeMatches', 'ProbeMatch')[0]
  const urls = (textAt(match, LIST_MAX, 'XAddrs') ?? '')
    .split(/\s+/)
    .filter((each) => URL.canParse(each))
    .map((each) => new URL(each))
  const url = urls.find(({ hostname, protocol }) => hostname === sender && /^https?:$/.test(protocol))
  if (!url) return undefined
  const https = url.protocol === 'https:'
  const scopes = (textAt(match, LIST_MAX, 'Scopes') ?? '').split(/\s+/)
  const [name, model] = [scopeValue(scopes, 'name'), scopeValue(scopes, 'hardware')]
  return {
    address: sender,
    port: Number(url.port || (https ? 443 : 80)),
    https,
    ...(name !== undefined && { name }),
    ...(model !== undefined && { model })
  }
}

export function searchCameras(
  network: SearchNetwork,
  signal: AbortSignal,
  onFound: (found: WsDiscoveryAnswer) => void
): void {
  const id = randomUUID()
  askGroup({
    network,
    signal,
    group: GROUP,
    port: PORT,
    message: probe(id),
    onAnswer(message, sender) {
      const found = readWsDiscoveryAnswer(message, sender, id)
      if (found) onFound(found)
    }
  })
}
