// Requests that the cloud relays to a hub, as streams of the cloud link (`link.ts`). Each has an assertion: who makes
// the request, signed by the cloud. There are two kinds:
//   <method> <path>    headend-assertion: …   a request of a browser, without its cookies. The response is the hub's
//   CONNECT <target>   headend-assertion: …   a connection to the console, on which one WebSocket is opened as HTTP/1.1;
//                                             to the web page of a device; or to a port that the session has forwarded
// A hub that refuses an assertion answers 401 with the header headend-refusal: its reason.
//
// An assertion is valid for one minute, which counts on the clock of the hub from when the hub has made its challenge,
// so that a wrong clock of either side locks nobody out:
//   GET /link/challenge    response 200 with JSON ChallengeResponse

import type { TokenScope } from '../access/token.ts'

/** Header with the assertion: a signed message (`device-link/signed-message.ts`) with `ASSERTION_PURPOSE`. */
export const ASSERTION_HEADER = 'headend-assertion'
export const ASSERTION_PURPOSE = 'headend-assertion/1'
/** Header with the reason of a refusal: a `Refusal`. */
export const REFUSAL_HEADER = 'headend-refusal'

export const CHALLENGE_PATH = '/link/challenge'
/** The targets of CONNECT requests, in their authority. */
export const CONSOLE_TARGET = 'console'
export const deviceTarget = (sn: string): string => `device:${sn}`
export const forwardTarget = (port: number): string => `forward:${port}`

/** @returns what a target names; undefined: neither the page of a device nor a forwarded port */
export function parseTunnelTarget(target: string): { sn: string } | { port: number } | undefined {
  const [, sn] = /^device:([\w-]{1,64})$/.exec(target) ?? []
  const [, port] = /^forward:(\d{1,5})$/.exec(target) ?? []
  return sn ? { sn } : port ? { port: Number(port) } : undefined
}

/** Seconds for which a challenge is valid. */
export const CHALLENGE_SECONDS = 60
/** Assertions with one challenge, each of which the hub remembers. */
export const CHALLENGE_USES_MAX = 10_000

/** Largest size of an assertion in characters. */
export const ASSERTION_MAX = 8192

export interface ChallengeResponse {
  challenge: string
}

/**
 * `expired`: the challenge is not valid any more, so a new one helps. `used`: the assertion was used before. `invalid`:
 * it is not signed by the cloud, or for another request or hub. `off`: the hub is not accepted.
 */
export type Refusal = 'expired' | 'used' | 'invalid' | 'off'

/** Who makes one relayed request, and which. */
export interface Assertion {
  /** Serial number of the hub for which it is. */
  sn: string
  /** From the hub. */
  challenge: string
  /** Random, used once: 22 characters of base64url. */
  id: string
  method: string
  /** Path with query; that of a CONNECT request. */
  target: string
  user: AssertedUser
  /** Names the session of the user in the cloud. The hub ends what the session has opened when it ends. */
  session: string
  /** Seconds since the user last proved the password to the cloud. */
  'authenticated-s': number
  /**
   * In `POST /update/start` of a rollout (`rollout.ts`): seconds since the user proved the password to start or resume
   * it. For this call, and within `ROLLOUT_APPROVAL_HOURS`, that proof counts as a recent one.
   */
  'approved-s'?: number | undefined
  /** IP address of the browser. */
  address: string
}

export interface AssertedUser {
  /** Name in the cloud, and of the organisation. */
  name: string
  organisation: string
  /** Mask of permissions that the user has in the cloud (`permissions.ts`). */
  permission: number
  /** Type of the user's group in the cloud (`permissions.ts`); that of a custom group with an access token. */
  type: number
  /** Scopes of the access token with which a program calls; absent for a person. */
  scopes?: TokenScope[] | undefined
}
