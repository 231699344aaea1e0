// Requests to servers that answer with JSON or XML and ask for a login with HTTP Basic, if at all.
import { AUTH_FAILED, INVALID_DATA } from '../../../../contract/codes.ts'
import { LinkError } from '../../../../device-link/link-error.ts'
import type { Login, ThirdPartyEndpoint } from './adapter.ts'

/** Bytes of a response. */
const RESPONSE_MAX = 1 << 20

/** The Authorization header of HTTP Basic. */
export const basicAuthorization = ({ user, password }: Login) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Body and status of the response to a GET request. */
export async function get(
  endpoint: ThirdPartyEndpoint,
  path: string,
  login: Login = { user: '', password: '' }
): Promise<{ status: number; text: string }> {
  const headers = { ...(login.user !== '' && { authorization: basicAuthorization(login) }) }
  const { status, body } = await endpoint.send({ method: 'GET', path, headers, maxBody: RESPONSE_MAX })
  return { status, text: body.toString() }
}

/** As `get`, for a response that counts. @throws LinkError 36 if the login is refused, 49 for another error */
export async function getText(endpoint: ThirdPartyEndpoint, path: string, login: Login): Promise<string> {
  const { status, text } = await get(endpoint, path, login)
  if (status === 401 || status === 403) throw new LinkError(AUTH_FAILED, 'the server refuses the login')
  if (status !== 200) throw invalidResponse()
  return text
}

export const invalidResponse = () => new LinkError(INVALID_DATA, 'the response of the server cannot be read')
