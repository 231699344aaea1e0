// Apprise: a program that sends messages to more than a hundred services, where it is installed.

/** Services of one destination. */
export const APPRISE_URLS_MAX = 20

export type { AppriseConfig } from './apprise.schema.ts'
