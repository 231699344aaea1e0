// Schemas of alert/push.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NOT_EXIST, TOO_MANY } from '../codes.ts'
import { emptyRequest, faultIssue, id, own } from '../fields.schema.ts'
import { isForbiddenHost } from '../stream/address-policy.ts'
import { mailAddress } from './mail-address.schema.ts'
import { PUSH_BROWSERS_MAX } from './push.ts'

export const PushConfig = z.object({
  contact: mailAddress.describe('E-mail address at which a push service can reach the operator (RFC 8292)')
})

/** Address of a browser at its push service. The hub checks the address of a name after the lookup. */
const endpoint = z
  .string()
  .max(1024)
  .superRefine((value, context) => {
    const host = /^https:\/\/([\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?\/\S*$/i.exec(value)?.[1]
    if (host === undefined || isForbiddenHost(host, true)) context.addIssue(faultIssue({ name: 'invalid' }))
  })

/** Bytes in base64url. */
const bytes = (count: number) => z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((count * 4) / 3)}}=*$`))

/** What `PushSubscription.toJSON()` returns of a browser's subscription. */
export const PushSubscription = z.object({
  endpoint: endpoint.describe('`https` address at the push service; private addresses are refused'),
  keys: z
    .object({ p256dh: bytes(65), auth: bytes(16) })
    .describe('Keys of the browser (RFC 8291): `p256dh` and `auth`, in base64url')
})

export const PushBrowser = z.object({
  id: z.int().meta(own('Id of the subscription')),
  user: z.string().meta(own('Name of the user who has subscribed the browser')),
  browser: z.string().meta(own('Browser and operating system')),
  created: z.int().meta(own('When it was subscribed, in milliseconds since the epoch'))
})

export type PushConfig = z.infer<typeof PushConfig>
export type PushSubscription = z.infer<typeof PushSubscription>
export type PushBrowser = z.infer<typeof PushBrowser>

export const pushSchemas = {
  'GET /alert/push/list': {
    summary: 'Lists the browsers that get messages of destinations of the kind `push`.',
    request: emptyRequest,
    response: z.object({
      key: z
        .string()
        .optional()
        .meta(own('Public key with which a browser subscribes: P-256, in base64url (RFC 8292)')),
      list: z.array(PushBrowser)
    }),
    responseNote: '`key` (absent until a destination of the kind `push` was added), `list` of browsers',
    source: 'own',
    examples: [{}]
  },
  'POST /alert/push/subscribe': {
    summary:
      'Stores the subscription that a browser got from its push service with the `key` of the list. Returns its id.',
    operation: ['Subscribe browser to notifications', '订阅浏览器通知'],
    request: PushSubscription,
    response: z.object({ id: z.int().meta(own('Id of the subscription')) }),
    errors: {
      [INVALID_ARG]: '',
      [TOO_MANY]: `${PUSH_BROWSERS_MAX} browsers`
    },
    source: 'own',
    examples: [
      {
        endpoint: 'https://push.example.com/wpush/v2/gAAAAABo',
        keys: { p256dh: 'B'.repeat(87), auth: 'q3J0dGVkLXdpdGgtMzItcA' }
      }
    ]
  },
  'POST /alert/push/unsubscribe': {
    summary: 'Removes a browser; without `id` all browsers of the caller.',
    operation: ['Unsubscribe browser from notifications', '取消浏览器通知'],
    request: z.object({ id: id.optional() }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{}, { id: 1 }]
  },
  'GET /alert/push/worker': {
    summary: 'The service worker that shows messages in a browser.',
    request: emptyRequest,
    content: 'text/javascript',
    responseNote: 'the script',
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
