// Opens the dialog with the camera of an input.
import { listDeviceStreams } from '../../../contract/device/stream.ts'
import type { InputSource } from '../../../contract/stream/source.ts'
import { type Translation, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'
import type { Action } from '../actions.tsx'

const CameraDialog = lazyDialog(() => import('./camera-dialog.tsx').then((module) => module.CameraDialog))

const VERB: Translation = ['Camera {0}', '摄像机 {0}']

export const CAMERA: Action<InputSource> = {
  call: listDeviceStreams,
  icon: 'camera',
  verb: VERB,
  isApplicable: ({ camera }) => camera !== undefined,
  run: async ([input]) => input !== undefined && openDialog(CameraDialog, { input, title: t(VERB, input.name) })
}
