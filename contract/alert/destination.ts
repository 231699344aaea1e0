// Destinations of notifications, and the log of the messages to them (docs/wire.md, "Notifications").
import { declareCall } from '../call.ts'

export type { AlertDelivery, AlertDestination, DeliveryState } from './destination.schema.ts'

/** Maximum number of destinations of a hub. */
export const DESTINATIONS_MAX = 50

/** States of a message in the delivery log. */
export const DELIVERY_STATES = ['waiting', 'sent', 'failed'] as const

export const listDestinations = declareCall('GET /alert/destination/list', 'admin')

export const addDestination = declareCall('POST /alert/destination/add', 'admin')

export const setDestination = declareCall('POST /alert/destination/set', 'admin')

export const deleteDestination = declareCall('POST /alert/destination/del', 'admin')

/** Sends a test message at once, and waits for the answer of the other end. */
export const testDestination = declareCall('POST /alert/destination/test', 'admin')

export const listDeliveries = declareCall('GET /alert/log', 'admin')
