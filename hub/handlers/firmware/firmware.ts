import { FILE_EXISTS, NOT_EXIST, OBJECT_BUSY } from '../../../contract/codes.ts'
import {
  addFirmware,
  cancelUpload,
  deleteFirmware,
  type Firmware,
  finishUpload,
  listFirmware,
  queryUpload,
  sendPiece,
  startUpload,
  type UploadedFirmware,
  uploadFirmware
} from '../../../contract/firmware.ts'
import { fitsDevice, versionText } from '../../../contract/mwf.ts'
import type { Hub } from '../../context.ts'
import { takeForm } from '../../firmware/multipart-file.ts'
import { type Uploaded, UploadRefused } from '../../firmware/uploads.ts'
import { type Answer, answer, type Context, change, changeAfter, Refusal, signedIn } from '../../http/handler.ts'
import { type FirmwareRow, infoOf } from '../../store/firmware.ts'
import { pageSince } from '../list.ts'

/** What the operation log calls a firmware. */
function called(info: UploadedFirmware['firmware-info']): string {
  return `${info['product-name']} ${info['hardware-ver']} ${versionText(info)}`
}

function wire(row: FirmwareRow): Firmware {
  return {
    id: row.id,
    'file-path': row.name,
    'file-size': row.size,
    'upload-date': Math.floor(row.added / 1000),
    sha256: row.sha256,
    ...infoOf(row)
  }
}

function uploadedWire({ id, checked }: Uploaded): UploadedFirmware {
  return { 'file-path': `${id}.mwf`, 'file-size': checked.size, 'firmware-info': checked.info }
}

/** A refused upload is a refused call. */
async function orRefused<T>(work: Promise<T>): Promise<T> {
  return work.catch((error): never => {
    throw error instanceof UploadRefused ? new Refusal(error.code, error.extra) : error
  })
}

export function firmwareAnswers(hub: Hub): Answer[] {
  const { store, gate, firmware } = hub
  const { uploads, folder } = firmware
  const owner = (context: Context) => signedIn(context).user.id

  /** Forgets a file once the change is kept. */
  function drop(context: Context, row: FirmwareRow): void {
    store.firmware.remove(row.id)
    context.after(() => {
      folder.remove(row.file.replace(/\.mwf$/, ''))
      store.changes.gone('firmware', row.id)
    })
  }

  /** Makes an uploaded file a firmware. @returns its id */
  function adopt(context: Context, uploaded: Uploaded | undefined, force: boolean | undefined): number {
    if (!uploaded) throw new Refusal(NOT_EXIST)
    const { id, name, checked } = uploaded
    context.detail = called(checked.info)
    const same = store.firmware.same(checked.info)
    if (same) {
      if (!force) throw new Refusal(FILE_EXISTS, { id: same.id })
      if (store.rollouts.using(same.id).length > 0) throw new Refusal(OBJECT_BUSY)
      drop(context, same)
    }
    const added = store.firmware.add({ file: `${id}.mwf`, name, ...checked }, Date.now())
    context.objects.push(`firmware:${added}`)
    context.after(() => {
      folder.adopt(id)
      store.changes.bump('firmware', added)
    })
    return added
  }

  return [
    answer(listFirmware, (context, request) => {
      const { 'product-id': product, 'hardware-ver': hardware, sn } = request
      const device = sn === undefined ? undefined : store.devices.bySerial(sn)
      if (sn !== undefined && !(device && gate.seesDevice(signedIn(context), device))) throw new Refusal(NOT_EXIST)
      const fits = (row: FirmwareRow) =>
        !device ||
        fitsDevice(infoOf(row), {
          'product-id': device.product_id,
          'module-name': device.module_name,
          'hardware-ver': device.hardware_ver
        })
      const rows = store.firmware
        .all()
        .filter(
          (row) => (!product || row.product_id === product) && (!hardware || row.hardware_ver === hardware) && fits(row)
        )
      return pageSince(store.changes, 'firmware', request, rows, wire)
    }),
    changeAfter(
      uploadFirmware,
      (context) => {
        const { body = null, headers } = context.body ?? {}
        const size = Number(headers?.get('content-length') ?? 0) || 0
        return orRefused(
          takeForm(body, headers?.get('content-type') ?? null, (name, fill) => {
            context.detail = name.slice(-200)
            return uploads.whole(owner(context), name, size, fill)
          })
        )
      },
      (context, _, uploaded) => {
        context.detail = called(uploaded.checked.info)
        return uploadedWire(uploaded)
      }
    ),
    changeAfter(
      startUpload,
      (context, { name, size, sha256 }) => {
        context.detail = name
        return orRefused(uploads.start(owner(context), name, size, sha256))
      },
      (_context, _request, state) => state
    ),
    // A piece is no change that a log should tell of: the upload is, at its begin and at its end.
    answer(sendPiece, (context, { upload, offset }) =>
      orRefused(uploads.piece(owner(context), upload, offset, context.body?.body ?? null))
    ),
    answer(queryUpload, async (context, { upload }) =>
      orRefused(Promise.resolve().then(() => uploads.state(owner(context), upload)))
    ),
    changeAfter(
      finishUpload,
      (context, { upload }) => orRefused(uploads.finish(owner(context), upload)),
      (context, { add, force }, uploaded) => {
        context.detail = called(uploaded.checked.info)
        return { ...uploadedWire(uploaded), ...(add && { id: adopt(context, uploaded, force) }) }
      }
    ),
    changeAfter(
      cancelUpload,
      (context, { upload }) => orRefused(uploads.cancel(owner(context), upload)),
      () => ({})
    ),
    change(addFirmware, (context, request) => ({
      id: adopt(context, uploads.uploaded(request['file-path']), request.force)
    })),
    change(deleteFirmware, (context, { id, force }) => {
      const rows = [...new Set([id].flat())].map((one) => {
        context.objects.push(`firmware:${one}`)
        const row = store.firmware.byId(one)
        if (!row) throw new Refusal(NOT_EXIST)
        return row
      })
      context.detail = rows
        .map((row) => called(infoOf(row)))
        .join(', ')
        .slice(0, 1000)
      for (const row of rows) {
        const using = store.rollouts.using(row.id)
        if (using.length > 0 && !force) throw new Refusal(OBJECT_BUSY)
        for (const rollout of using) {
          store.rollouts.cancelWaiting(rollout.id, Date.now())
          context.after(() => firmware.rollouts.advance(rollout.id))
        }
        drop(context, row)
      }
      return {}
    })
  ]
}
