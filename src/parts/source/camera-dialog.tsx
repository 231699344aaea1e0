// The camera of an input: its picture, its movement, and which of its streams the input receives.
import { atom } from 'nanostores'
import { useEffect, useMemo, useRef, useState } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { listDeviceStreams, moveInput, setInputStream } from '../../../contract/device/stream.ts'
import type { InputSource } from '../../../contract/stream/source.ts'
import { SelectField } from '../../form/select-field.tsx'
import { send } from '../../link/send.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { codeText } from '../../text/codes.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { IconName } from '../../ui/icon.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { CallButton } from '../actions.tsx'
import { CameraPicture } from '../device/device-facts.tsx'
import { usePlaceholder } from '../load-state.tsx'
import { createCameraHold, type Movement } from './camera-hold.ts'

const TEXT = {
  stream: ['Stream', '流'],
  hint: ['Hold a button or an arrow key. + and − zoom.', '按住按钮或方向键移动，+ 和 − 缩放。'],
  up: ['Up', '上'],
  left: ['Left', '左'],
  right: ['Right', '右'],
  down: ['Down', '下'],
  zoomIn: ['Zoom in', '放大'],
  zoomOut: ['Zoom out', '缩小']
} as const satisfies Record<string, Translation>

/** Percent of the highest speed. */
const SPEED = 50

/** In the order of the buttons, which is that of the keys on a keyboard. */
const DIRECTIONS: readonly { key: string; icon: IconName; label: Translation; movement: Movement }[] = [
  { key: 'ArrowUp', icon: 'up', label: TEXT.up, movement: { tilt: SPEED } },
  { key: '+', icon: 'plus', label: TEXT.zoomIn, movement: { zoom: SPEED } },
  { key: 'ArrowLeft', icon: 'left', label: TEXT.left, movement: { pan: -SPEED } },
  { key: 'ArrowDown', icon: 'down', label: TEXT.down, movement: { tilt: -SPEED } },
  { key: 'ArrowRight', icon: 'right', label: TEXT.right, movement: { pan: SPEED } },
  { key: '-', icon: 'minus', label: TEXT.zoomOut, movement: { zoom: -SPEED } }
]

/** The buttons that move a camera while they are held. */
function MovePad({ input }: { input: number }) {
  const pad = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState(SUCCESS)
  const { press, release, step } = useMemo(
    () =>
      createCameraHold(async (movement) => {
        const { result } = await send(moveInput, { id: input, ...movement })
        setCode(result)
        return result === SUCCESS
      }),
    [input]
  )
  useEffect(() => {
    const dialog = pad.current?.closest('dialog')
    const pressKey = (event: KeyboardEvent) => {
      const target = event.target as Element
      const direction = DIRECTIONS.find(({ key }) => key === event.key)
      if (!direction || target.matches('select')) return
      event.preventDefault()
      if (!event.repeat) void press(direction.movement)
    }
    const end = new AbortController()
    dialog?.addEventListener('keydown', pressKey, end)
    document.addEventListener('keyup', release, end)
    document.addEventListener('visibilitychange', release, end)
    window.addEventListener('blur', release, end)
    return () => {
      end.abort()
      release()
    }
  }, [press])
  return (
    <>
      <div className="pad" ref={pad}>
        {DIRECTIONS.map(({ key, icon, label, movement }) => (
          <CallButton
            key={key}
            call={moveInput}
            iconOnly
            icon={icon}
            label={t(label)}
            onHold={(isHeld) => (isHeld ? void press(movement) : release())}
            onClick={() => step(movement)}
          />
        ))}
      </div>
      {code === SUCCESS ? (
        <small className="muted">{t(TEXT.hint)}</small>
      ) : (
        <p role="alert" className="fault">
          {codeText(code)}
        </p>
      )}
    </>
  )
}

interface CameraDialogProps {
  input: InputSource
  title: string
  onClose: () => void
}

export function CameraDialog({ input, title, onClose }: CameraDialogProps) {
  const { id, name, camera = '' } = input
  const $streams = useMemo(
    () => createLiveValue({ call: listDeviceStreams, request: atom({ sn: camera }), pace: 'slowest', topic: 'source' }),
    [camera]
  )
  const { value } = useStore($streams)
  const list = value?.list ?? []
  const stream = list.find(({ inputs }) => inputs?.includes(id))
  const mayEdit = useStore($isAllowed)(setInputStream)
  const placeholder = usePlaceholder($streams, !value, null)
  return (
    <Dialog title={title} cancelLabel={t(UI.close)} onClose={onClose}>
      <div className="stack">
        <CameraPicture input={input} source={stream?.name} />
        {placeholder}
        {mayEdit && stream?.ptz && <MovePad input={id} />}
        {value &&
          (mayEdit ? (
            <SelectField
              name="stream"
              label={t(TEXT.stream)}
              value={stream?.id ?? ''}
              placeholder={stream ? undefined : ' '}
              options={list
                .filter(({ playable }) => playable)
                .map((each) => ({ value: each.id, label: [each.name, each.detail].filter(Boolean).join(' · ') }))}
              onValueChange={(chosen) =>
                void sendMutation(
                  setInputStream,
                  { id, sn: camera, stream: chosen },
                  { success: { text: OUTCOME.saved, names: [name] } }
                )
              }
            />
          ) : (
            <p>{stream?.name}</p>
          ))}
      </div>
    </Dialog>
  )
}
