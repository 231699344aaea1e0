// The devices that are dragged now, for what they may be dropped on: the platform shows what is dragged only to where it is dropped.
import { atom } from 'nanostores'
import type { Device } from '../../contract/device/device.ts'

/** How to get them: of a long list not all may be here. Null: none are dragged. */
export const $dragged = atom<(() => Promise<readonly Device[] | undefined>) | null>(null)
