// The firmware files that the hub keeps: of the room for them, and of the dialog that brings one to devices.
import { atom } from 'nanostores'
import { type Firmware, listFirmware } from '../../contract/firmware.ts'
import { versionText } from '../../contract/mwf.ts'
import { liveList } from './live-list.ts'

/** By product and hardware, the newest version first. */
export const $firmware = liveList({
  call: listFirmware,
  request: atom({}),
  pace: 'slowest',
  topic: 'firmware',
  keyOf: (file: Firmware) => file.id
})

/** What a file is called: model, hardware letter, version. */
export const firmwareName = (file: Firmware) =>
  [file['product-name'], file['hardware-ver'], versionText(file)].join(' ')
