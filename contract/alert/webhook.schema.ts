// Configuration of a webhook: the URL to which the hub posts messages, and their format.
import * as z from 'zod'
import { faultIssue, text } from '../fields.schema.ts'
import { isForbiddenServer } from '../stream/address-policy.ts'
import { WEBHOOK_TEMPLATES } from './webhook.ts'

/** An address without a login, which everybody who sees the address could read. */
const HTTP_URL = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?([/?#]\S*)?$/i

/** An address of a web server that the hub may connect to. The hub checks the address of a name after the lookup. */
const httpUrl = z
  .string()
  .max(2048)
  .superRefine((value, context) => {
    const [, host, port] = HTTP_URL.exec(value) ?? []
    if (host === undefined || Number(port ?? 0) > 65_535 || isForbiddenServer(host))
      context.addIssue(faultIssue({ name: 'invalid' }))
  })

export const WebhookConfig = z
  .object({
    url: httpUrl.describe('`http` or `https`, without a login; redirects are not followed'),
    secret: text.optional().describe('Key of the signature; without it messages are not signed'),
    template: z
      .enum(WEBHOOK_TEMPLATES)
      .optional()
      .describe('`json` (default), `slack`, `teams`, `discord`, `telegram`'),
    chat: text.optional().describe('`telegram`: id of the chat')
  })
  .superRefine(({ template, chat }, context) => {
    if (template === 'telegram' && !chat) context.addIssue({ ...faultIssue({ name: 'required' }), path: ['chat'] })
  })

export type WebhookConfig = z.infer<typeof WebhookConfig>
