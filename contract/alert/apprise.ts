// Apprise: a program that sends messages to more than a hundred services. The hub runs it if it is installed.

/** Maximum number of services of one destination. */
export const APPRISE_URLS_MAX = 20

export type { AppriseConfig } from './apprise.schema.ts'
