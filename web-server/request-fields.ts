// Reads the fields of a call: from the query of its request, or from its JSON body.
import type { Call } from '../contract/call.ts'
import type { HubRequest } from './request.ts'

/**
 * Maximum size of a JSON request in bytes, and milliseconds within which it must arrive. The largest legitimate one,
 * with a thousand serial numbers, has 40 KB, which a line of 16 kbit/s carries in time.
 */
export const BODY_LIMIT = { size: 1 << 20, deadline: 30_000 }
/** The same for calls that need no session. */
export const PUBLIC_BODY_LIMIT = { size: 16 << 10, deadline: 5000 }

/**
 * Reads the fields of a request, from the query of a GET or the JSON body of a POST. Returns the HTTP status of an
 * error instead if the body is not JSON.
 * @throws BodyError
 */
export async function readFields(request: HubRequest, { access }: Call): Promise<object | number> {
  const { size, deadline } = access === 'public' ? PUBLIC_BODY_LIMIT : BODY_LIMIT
  const text = await request.readText(size, deadline)
  // Calls without parameters, such as logout, may have an empty body. Any other body must be declared as JSON, which an
  // HTML form of another site cannot do.
  if (text === '') return {}
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return 415
  try {
    const fields = JSON.parse(text)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields
  } catch {}
  return 200
}

/** The fields of a query string. */
export const queryFields = (search: string) => (search === '' ? {} : Object.fromEntries(new URLSearchParams(search)))
