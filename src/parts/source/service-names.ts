/** Public services with a preset, by the key of their preset. */
export const SERVICE_NAME = { youtube: 'YouTube', twitch: 'Twitch', facebook: 'Facebook Live' } as const

export const SERVICE_NAMES: readonly string[] = Object.values(SERVICE_NAME)
