// The kinds of destinations of notifications. A new kind is a row here, its sender in `hub/alerts/senders.ts`, and its
// fields on the page of notifications (docs/architecture/notifications.md).
import type * as z from 'zod'
import { AppriseConfig } from './apprise.schema.ts'
import { EmailConfig } from './email.schema.ts'
import { MqttConfig } from './mqtt.schema.ts'
import { PushConfig } from './push.schema.ts'
import { SnmpConfig } from './snmp.schema.ts'
import { SyslogConfig } from './syslog.schema.ts'
import { WebhookConfig } from './webhook.schema.ts'

interface DestinationKindRow<Schema extends z.ZodObject> {
  /** Schema of `config` in a request. */
  config: Schema
  /** Fields of `config` that are stored encrypted, and that no response has. */
  secrets: readonly (keyof z.infer<Schema> & string)[]
  /** The address to which messages are sent, without secrets. Lists and logs show it. */
  target(config: z.infer<Schema>): string
}

const kind = <Schema extends z.ZodObject>(row: DestinationKindRow<Schema>) => row

export const DESTINATION_KINDS = {
  apprise: kind({
    config: AppriseConfig,
    secrets: ['urls'],
    target: ({ urls }) => urls.map((url) => `${url.split(':')[0]}://…`).join(', ')
  }),
  email: kind({
    config: EmailConfig,
    secrets: ['password'],
    target: ({ to }) => to.join(', ')
  }),
  mqtt: kind({
    config: MqttConfig,
    secrets: ['password'],
    target: ({ host }) => host
  }),
  push: kind({
    config: PushConfig,
    secrets: [],
    target: () => ''
  }),
  snmp: kind({
    config: SnmpConfig,
    secrets: ['community', 'auth-password', 'privacy-password'],
    target: ({ host }) => host
  }),
  syslog: kind({
    config: SyslogConfig,
    secrets: [],
    target: ({ host }) => host
  }),
  webhook: kind({
    config: WebhookConfig,
    // Whoever knows the URL of a chat service can post to it, so the URL is a secret.
    secrets: ['url', 'secret'],
    target: ({ url }) => url.split(/(?<=[^/])[/?#](?!\/)/)[0] ?? ''
  })
}

export type DestinationKind = keyof typeof DESTINATION_KINDS
export type ConfigOf<Kind extends DestinationKind> = z.infer<(typeof DESTINATION_KINDS)[Kind]['config']>
