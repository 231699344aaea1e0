// The devices that are being dragged. A store, because browsers reveal the dragged data to the drop target only, and
// only on drop.
import { atom } from 'nanostores'
import type { Device } from '../../contract/device/device.ts'

/** Loads the dragged devices, because not all of a long list may be loaded. Null while nothing is dragged. */
export const $draggedDevices = atom<(() => Promise<readonly Device[] | undefined>) | null>(null)
