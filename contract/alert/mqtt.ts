// MQTT: the hub publishes the state of each problem on a topic of a broker, and announces it to Home Assistant.

/** `tls`: encrypted (default); `none`: not encrypted. */
export const MQTT_SECURITIES = ['tls', 'none'] as const
export type MqttSecurity = (typeof MQTT_SECURITIES)[number]

/** Default ports of brokers. */
export const MQTT_PORTS: Readonly<Record<MqttSecurity, number>> = { tls: 8883, none: 1883 }

/** Beginning of the topics of all hubs. */
export const MQTT_TOPIC = 'headend'
/** Default of the discovery prefix of Home Assistant. */
export const MQTT_DISCOVERY = 'homeassistant'

export type { MqttConfig } from './mqtt.schema.ts'
