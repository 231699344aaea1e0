// Webhooks: messages that the hub posts to a web server.

/** `json`: all fields of the message; the others: the format of the service of this name. */
export const WEBHOOK_TEMPLATES = ['json', 'slack', 'teams', 'discord', 'telegram'] as const

export type { WebhookConfig } from './webhook.schema.ts'
