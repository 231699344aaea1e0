// The cloud link: the connection from a hub to the cloud. It is the device link (`device/link.ts`) with another hello:
// a hub sends
//   GET /link HTTP/1.1   Connection: Upgrade   Upgrade: headend-link/1   headend-hub: <base64url JSON of HubHello>
// to the registration port of the cloud, which answers as a hub answers a device; then the hub is the HTTP/2 server on
// this connection. Requests of the cloud over the link:
//   POST /link/state     JSON { state }: the hub was accepted (101), rejected (102) or deleted (104); response 204

export const HUB_HELLO_HEADER = 'headend-hub'

/** Identity of a hub, sent when it opens a link. */
export interface HubHello {
  /** Name of the organisation to which the hub registers. */
  organisation: string
  sn: string
  name: string
  version: string
  /** Key of the hub: 64 hex digits, generated once. The cloud binds a serial number to the first key that it sees. */
  key: string
  /** Secret part of the invitation. */
  code: string
}

/** Name of an organisation: 1-32 lower-case letters a-z, digits and hyphens, starting with a letter. */
export const ORGANISATION_NAME = /^[a-z][a-z0-9-]{0,31}$/

export interface Invitation {
  organisation: string
  code: string
}

/** An invitation as text, such as `headend:7KQD-3MXH-9TRW`. */
export const formatInvitation = ({ organisation, code }: Invitation): string => `${organisation}:${code}`

/** @returns undefined if the text is no invitation */
export function parseInvitation(text: string): Invitation | undefined {
  const [, organisation = '', code = ''] = /^([^:]*):([\w-]{1,64})$/.exec(text.trim()) ?? []
  return ORGANISATION_NAME.test(organisation) ? { organisation, code } : undefined
}
