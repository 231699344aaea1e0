// Announcements between nodes (`store/notifications.ts`), as short JSON: changed links of an organisation and
// decisions on its hubs, or, without an organisation, the start or end of the node.
import * as z from 'zod'
import { PAYLOAD_MAX } from '../store/notifications.ts'
import type { LinkRow } from './remote-rows.ts'

export type AnnouncedLink = Omit<LinkRow, 'node' | 'organisation'>

export interface Announcement {
  node: string
  organisation?: string | undefined
  revision?: number | undefined
  added?: AnnouncedLink[] | undefined
  /** Epochs of links that have ended. */
  removed?: number[] | undefined
  /** The links of the node and organisation have to be read, because too many have changed. */
  isWhole?: boolean | undefined
  /** Hubs that a user has accepted, rejected or deleted; true: more than fit. */
  hubs?: string[] | true | undefined
}

const shape: z.ZodType<Announcement> = z.object({
  node: z.string(),
  organisation: z.string().optional(),
  revision: z.number().optional(),
  added: z
    .array(
      z.object({
        epoch: z.number(),
        sn: z.string(),
        instance: z.string(),
        name: z.string(),
        address: z.string(),
        isHeld: z.boolean()
      })
    )
    .optional(),
  removed: z.array(z.number()).optional(),
  isWhole: z.boolean().optional(),
  hubs: z.union([z.array(z.string()), z.literal(true)]).optional()
})

/** @returns undefined if the text is none */
export function readAnnouncement(payload: string): Announcement | undefined {
  try {
    return shape.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

/** The text of an announcement; where too much has changed, it says only that. */
export function fitAnnouncement({ added, removed, hubs, ...rest }: Announcement & { hubs: string[] }): string {
  const named = hubs.length > 0 ? hubs : undefined
  for (const announcement of [
    { ...rest, added, removed, hubs: named },
    { ...rest, isWhole: true, hubs: named }
  ]) {
    const text = JSON.stringify(announcement)
    if (Buffer.byteLength(text) <= PAYLOAD_MAX) return text
  }
  return JSON.stringify({ ...rest, isWhole: true, hubs: true })
}
