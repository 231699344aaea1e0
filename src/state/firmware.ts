// The firmware files on the hub, for the firmware screen and the upgrade dialog.
import { type Firmware, listFirmware } from '../../contract/firmware.ts'
import { formatVersion } from '../../contract/mwf.ts'
import { createLiveList } from './live-list.ts'

/** Sorted by product and hardware, the newest version first. */
export const $firmware = createLiveList({
  call: listFirmware,
  pace: 'slowest',
  topic: 'firmware'
})

/** The display name of a file: product, hardware letter, version. */
export const firmwareName = (file: Firmware) =>
  [file['product-name'], file['hardware-ver'], formatVersion(file)].join(' ')
