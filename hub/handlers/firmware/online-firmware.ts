// Handlers for firmware from a web server: list, check, download and cancel.
import {
  cancelDownload,
  checkOnlineFirmware,
  downloadFirmware,
  listOnlineFirmware,
  type OnlineFirmware
} from '../../../contract/firmware.ts'
import type { FirmwareServices } from '../../firmware/firmware.ts'
import type { FirmwareRelease, OnlineFirmware as OnlineService } from '../../firmware/online-firmware.ts'
import { type Handler, handle, handlePreparedChange } from '../../http/handler.ts'
import { downloadStatus, firmwareErrorLines } from '../../messages/firmware.ts'
import type { Language } from '../../messages/language.ts'
import { noServerLines, onlineFaultLines } from '../../messages/online.ts'
import { withCallError } from './firmware.ts'

/** Why there are no new releases, or why the last download failed: the problem, then the next step. */
function faultLines(language: Language, { address, found, failure }: OnlineService): string[] {
  if (!address) return noServerLines(language)
  if (failure?.kind === 'firmware') return firmwareErrorLines(language, failure.error)
  const { fault, details } = failure ?? found
  return fault ? onlineFaultLines(language, fault, details) : []
}

function serializeRelease(language: Language, online: OnlineService, release: FirmwareRelease): OnlineFirmware {
  const { state, progress, file } = online.stateOf(release)
  return {
    ...downloadStatus(language, state, progress),
    id: release.sha256,
    'product-name': release.model,
    'hardware-ver': release.hardware,
    version: release.version,
    ...(release['pre-release'] && { 'pre-release': true }),
    time: Date.parse(release.time),
    size: release.size,
    notes: release.notes[language === 'zh' ? 'zh' : 'en'],
    state,
    progress,
    ...(file && { 'firmware-id': file.id })
  }
}

export function onlineFirmwareHandlers({ firmware: { online } }: { firmware: FirmwareServices }): Handler[] {
  return [
    handle(listOnlineFirmware, ({ language }) => {
      const [reason, nextStep] = faultLines(language, online)
      return {
        address: online.address,
        date: online.found.date,
        ...(reason && { fault: { reason, ...(nextStep && { 'next-step': nextStep }) } }),
        list: online.releases.map((release) => serializeRelease(language, online, release))
      }
    }),
    handlePreparedChange(
      checkOnlineFirmware,
      () => withCallError(online.check()),
      () => ({})
    ),
    handlePreparedChange(
      downloadFirmware,
      (context, { id }) => {
        const release = online.releases.find(({ sha256 }) => sha256 === id)
        if (release) context.detail = `${release.model} ${release.hardware} ${release.version}`
        return withCallError(Promise.resolve().then(() => online.startDownload(id)))
      },
      () => ({})
    ),
    handlePreparedChange(
      cancelDownload,
      () => withCallError(Promise.resolve().then(() => online.cancelDownload())),
      () => ({})
    )
  ]
}
