// Configuration of Apprise: the URLs of the services.
import * as z from 'zod'
import { faultIssue } from '../fields.schema.ts'
import { isForbiddenServer } from '../stream/address-policy.ts'
import { APPRISE_URLS_MAX } from './apprise.ts'

/**
 * The URL of a service in the syntax of Apprise. The hub writes it as a line of a configuration file, in which a line
 * without a scheme can be an instruction or a tag. URLs that read files of the hub are refused.
 */
const APPRISE_URL = /^(?!file:|include)[a-z][a-z0-9+.-]*:\/\/[^\s\p{Cc},]+$/iu

/** The host of a URL, without scheme, login, port and path. */
const hostOf = (url: string) => /^[^:]+:\/\/(?:[^/?]*@)?(\[[^\]]*\]|[^/:?]*)/.exec(url)?.[1] ?? ''

const appriseUrl = z
  .string()
  .max(1024)
  .superRefine((value, context) => {
    if (!APPRISE_URL.test(value) || isForbiddenServer(hostOf(value))) context.addIssue(faultIssue({ name: 'invalid' }))
  })

export const AppriseConfig = z.object({
  urls: z
    .array(appriseUrl)
    .min(1)
    .max(APPRISE_URLS_MAX)
    .describe('Services as Apprise names them, such as `tgram://token/chat`')
})

export type AppriseConfig = z.infer<typeof AppriseConfig>
