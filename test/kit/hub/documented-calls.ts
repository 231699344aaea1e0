// A filter in front of a hub: lets it respond like a hub that has only the calls and fields that the vendor documents.
import { CALL_SCHEMAS } from '../../../contract/calls.schema.ts'

/** Calls with a mark other than `vendor` that the vendor's console makes. */
const FURTHER_CALLS: readonly string[] = [
  'POST /catalog/add',
  'POST /catalog/rename',
  'POST /catalog/del',
  'POST /system/set-device-name',
  'POST /reboot',
  'GET /preview/clear'
]

/** Fields with words, verdicts and revisions of this hub. */
const OWN_FIELDS = new Set([
  'health',
  'message',
  'text',
  'tone',
  'place',
  'next-step',
  'problem',
  'ports',
  'net-history',
  'on-air',
  'rev',
  'mark',
  'machine'
])

/** Whether the vendor documents a call. @param name method and path, as in `CALL_SCHEMAS` */
export function isDocumentedCall(name: string): boolean {
  const schema = Object.entries(CALL_SCHEMAS).find(([key]) => key === name)?.[1]
  return FURTHER_CALLS.includes(name) || /^vendor(;|$)/.test(schema?.source ?? '')
}

/** Removes the fields that only this hub sends. */
function removeOwnFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeOwnFields)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !OWN_FIELDS.has(name))
  return Object.fromEntries(kept.map(([name, part]) => [name, removeOwnFields(part)]))
}

/**
 * Responds to a request as a hub with documented calls only. Calls to devices, below `/socket/`, are documented.
 * @param url path and query string
 * @param request sends the request to the hub
 */
export async function respondAsDocumented(
  method: string,
  url: string,
  request: () => Promise<Response>
): Promise<Response> {
  const [path = ''] = url.split('?')
  if (path.startsWith('/socket/')) return request()
  if (!isDocumentedCall(`${method} ${path.slice('/api'.length)}`)) return new Response('Not found', { status: 404 })
  const response = await request()
  if (!response.headers.get('content-type')?.includes('json')) return response
  return Response.json(removeOwnFields(await response.json()), { headers: response.headers })
}
