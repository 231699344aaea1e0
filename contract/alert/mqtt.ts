// MQTT: the state of each problem on a topic of a broker, also as entities of Home Assistant.

/** `tls`: encrypted (default); `none`: not encrypted. */
export const MQTT_SECURITIES = ['tls', 'none'] as const
export type MqttSecurity = (typeof MQTT_SECURITIES)[number]

/** Ports of brokers. */
export const MQTT_PORTS: Readonly<Record<MqttSecurity, number>> = { tls: 8883, none: 1883 }

/** Beginning of the topics of all hubs. */
export const MQTT_TOPIC = 'headend'
/** Where Home Assistant looks for entities. */
export const MQTT_DISCOVERY = 'homeassistant'

export type { MqttConfig } from './mqtt.schema.ts'
