// The sender of each kind of destination.
import type { ConfigOf, DestinationKind } from '../../contract/alert/destination-kinds.schema.ts'
import type { Sender } from './sender.ts'
import { appriseSender } from './senders/apprise.ts'
import { emailSender } from './senders/email.ts'
import { MqttSender } from './senders/mqtt.ts'
import { createSnmpSender } from './senders/snmp.ts'
import { syslogSender } from './senders/syslog.ts'
import { webhookSender } from './senders/webhook.ts'

export type Senders = { readonly [Kind in DestinationKind]: Sender<ConfigOf<Kind>> }

export function createSenders(): Senders {
  return {
    apprise: appriseSender,
    email: emailSender,
    mqtt: new MqttSender(),
    snmp: createSnmpSender(),
    syslog: syslogSender,
    webhook: webhookSender
  }
}
