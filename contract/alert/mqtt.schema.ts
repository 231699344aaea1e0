// Configuration of MQTT: the broker, and the topics.
import * as z from 'zod'
import { faultIssue, port, text } from '../fields.schema.ts'
import { SERVER_CERTIFICATES } from './certificates.schema.ts'
import { MQTT_SECURITIES } from './mqtt.ts'
import { serverHost } from './server-host.schema.ts'

/** Names with slashes between them. Wildcards, and topics of the broker itself (`$SYS`), are refused. */
const topic = z
  .string()
  .max(128)
  .regex(/^[^\s\p{Cc}/+#$]+(\/[^\s\p{Cc}/+#]+)*$/u)

export const MqttConfig = z
  .object({
    host: serverHost.describe('Name or address of the broker'),
    port: port.optional().describe('Default: 8883 with `tls`, 1883 with `none`'),
    security: z
      .enum(MQTT_SECURITIES)
      .optional()
      .describe('`tls` (default), or `none`: anybody between the hub and the broker can read the password'),
    user: text.optional(),
    password: text.optional(),
    topic: topic.optional().describe('Beginning of the topics; default: `headend`'),
    discovery: topic
      .or(z.literal(''))
      .optional()
      .describe('Discovery prefix of Home Assistant; default: `homeassistant`; empty: no discovery'),
    ...SERVER_CERTIFICATES
  })
  .superRefine(({ user, password }, context) => {
    if (password && !user) context.addIssue({ ...faultIssue({ name: 'required' }), path: ['user'] })
  })

export type MqttConfig = z.infer<typeof MqttConfig>
