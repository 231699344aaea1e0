// Schemas of releases online.
import * as z from 'zod'
import { PORT_MAX } from './limits.ts'
import { isForbiddenServer } from './stream/address-policy.ts'

/** Scheme, host, port and folder: no user, whose password would be in logs, and no query. */
const ADDRESS = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?(\/[\w.~%+-]+)*\/?$/i

/** The hub must not send requests to the metadata service of a cloud. Names are checked when they are looked up. */
function isAllowed(value: string): boolean {
  const [, host, port = ''] = ADDRESS.exec(value) ?? []
  return host !== undefined && Number(port) <= PORT_MAX && !isForbiddenServer(host)
}

/** Address of the folder of a web server that has channel files; empty = none. */
export const onlineAddress = z
  .string()
  .max(256)
  .refine((value) => value === '' || isAllowed(value))
  .meta({ example: 'https://releases.example.com' })
