// The temporary folders of killed engines.
import { createPrivateFolder, removeFolder } from '../../../engine/process/private-files.ts'

/** Removes the temporary folders of engines that no longer run, as the next engine does at its start. */
export function removeFoldersOfKilledEngines(): void {
  for (const purpose of ['relay', 'rtmp', 'ndi-config']) removeFolder(createPrivateFolder(purpose))
}
