// The sender of each kind of destination.
import type { ConfigOf, DestinationKind } from '../../contract/alert/destination-kinds.schema.ts'
import type { Store } from '../store/store.ts'
import type { Sender } from './sender.ts'
import { appriseSender } from './senders/apprise.ts'
import { emailSender } from './senders/email.ts'
import { MqttSender } from './senders/mqtt.ts'
import { PushSender } from './senders/push.ts'
import { createSnmpSender } from './senders/snmp.ts'
import { syslogSender } from './senders/syslog.ts'
import { webhookSender } from './senders/webhook.ts'

export type Senders = { readonly [Kind in DestinationKind]: Sender<ConfigOf<Kind>> }

export function createSenders(store: Store): Senders {
  return {
    apprise: appriseSender,
    email: emailSender,
    mqtt: new MqttSender(),
    push: new PushSender({ store }),
    snmp: createSnmpSender(),
    syslog: syslogSender,
    webhook: webhookSender
  }
}
