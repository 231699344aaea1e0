// Starts a firmware rollout: the firmware file, the size of the waves, and the consent to a downgrade or a test build.
// On a hub without rollouts: an update with the id of a file.
import { useEffect, useState } from 'react'
import type { Device } from '../../../contract/device/device.ts'
import type { Firmware } from '../../../contract/firmware.ts'
import { CHANNEL_OUTPUTS_MAX } from '../../../contract/limits.ts'
import { formatVersion } from '../../../contract/mwf.ts'
import { startRollout, upgradeDevices } from '../../../contract/rollout.ts'
import { compatibleWith, type DowngradePrompt, downgradePrompt } from '../../../contract/rules/file.ts'
import { numberRange } from '../../../contract/rules/number.ts'
import { type Channel, channelDashboard } from '../../../contract/stream/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { isMissingCall } from '../../other-hubs.ts'
import { linkTo } from '../../paths.ts'
import { $firmware, firmwareName } from '../../state/firmware.ts'
import { navigate, useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { useStore } from '../../ui/use-store.ts'
import { runBulk } from '../bulk-action.ts'
import type { DeviceDialogProps } from './device-dialogs.tsx'

const TEXT = {
  title: ['Update firmware', '更新固件'],
  firmware: ['Firmware', '固件'],
  fits: [
    'Compatible with {0} of {1} devices. The others are not updated.',
    '适用于 {1} 台设备中的 {0} 台，其余设备不会更新。'
  ],
  id: ['Firmware ID', '固件 ID'],
  idHint: [
    'This hub does not list its firmware files. Enter the ID of the file; it must suit the model and the hardware version.',
    '此中控不提供固件列表。请输入固件文件的 ID，文件须与型号和硬件版本相符。'
  ],
  none: ['No compatible firmware: upload a .mwf file.', '暂无适用的固件，请上传 .mwf 文件。'],
  wave: ['Batch size after the first device', '首台成功后每批设备数'],
  stop: ['Stop after N failures (0 = never)', '失败 N 台后停止（0 = 不停止）'],
  disclaimer: [
    'This is a test build: it may be unstable or lose settings. Do not use it for productions.',
    '这是测试版固件，可能不稳定或丢失设置，请勿用于正式制作。'
  ],
  interrupts: [
    'Each device restarts: its pictures, streams and recordings are interrupted.',
    '设备将重启：画面、推流和录制会中断。'
  ],
  onAir: ['On air through these devices: {0}', '正在通过这些设备播出：{0}'],
  agree: ['I have read this and agree', '我已阅读并同意']
} as const satisfies Record<string, Translation>

const ROLLOUTS_PATH = linkTo('firmware', { tab: 'rollouts' })

/** Ids of firmware files. */
const ID_MAX = 0xffff_ffff

/** Limit of the hub for `wave` and `stop-after`. */
const COUNT_MAX = 1000

/**
 * The running channels whose input on air is one of these devices, or that are played by one. Empty for users without
 * permission to view channels.
 */
function useChannelsOnAir(devices: readonly Device[]): string[] {
  const isAllowed = useStore($isAllowed)(channelDashboard)
  const [channels, setChannels] = useState<readonly Channel[]>([])
  useEffect(() => {
    if (!isAllowed) return
    void send(channelDashboard, { live: 1, 'output-count': CHANNEL_OUTPUTS_MAX }).then(({ list = [] }) =>
      setChannels(list)
    )
  }, [])
  const serials = new Set<string | undefined>(devices.map(({ sn }) => sn))
  const isUsed = ({ input, backups = [], 'on-air': onAir, outputs }: Channel) =>
    [input, ...backups].some((leg) => leg && leg.id === onAir?.input && serials.has(leg.sn)) ||
    outputs.list.some(({ sn, enable }) => enable && sn !== undefined && serials.has(sn))
  return channels.filter(isUsed).map(({ name }) => name)
}

/** The devices that a file is compatible with. */
const fitting = (file: Firmware | undefined, devices: readonly Device[]) =>
  devices.filter((device) => file && !compatibleWith(device)(file))

/** Updates the firmware of devices: with a file of the hub, or with the id of one if the hub does not list them. */
export function UpgradeDialog(props: DeviceDialogProps) {
  const { phase, code } = useStore($firmware)
  return phase === 'failed' && isMissingCall(code) ? <IdDialog {...props} /> : <RolloutDialog {...props} />
}

/** What an update interrupts. */
function InterruptionNote({ devices }: Pick<DeviceDialogProps, 'devices'>) {
  const channels = useChannelsOnAir(devices)
  return (
    <p className="banner">
      {t(TEXT.interrupts)} {channels.length > 0 && <strong>{t(TEXT.onAir, channels.join(', '))}</strong>}
    </p>
  )
}

/** Updates all devices at once with the file of an id. The hub and the devices check that it suits them. */
function IdDialog({ devices, onClose }: DeviceDialogProps) {
  const form = useForm({ id: numberRange(1, ID_MAX) }, { id: '' }, async ({ id }) => {
    const sendBatch = (sn: string[], force: object) => send(upgradeDevices, { sn, 'firmware-id': Number(id), ...force })
    onClose(await runBulk({ title: t(TEXT.title), devices, outcome: OUTCOME.updating, sendBatch }))
    return undefined
  })
  return (
    <FormDialog form={form} submitLabel={t(TEXT.title)} onClose={() => onClose()}>
      <NumberField {...form.field('id')} label={t(TEXT.id)} hint={t(TEXT.idHint)} autoFocus />
      <InterruptionNote devices={devices} />
    </FormDialog>
  )
}

/** Starts a rollout, whose first wave is one device. For several devices, opens the list of rollouts afterwards. */
function RolloutDialog({ devices: selected, onClose }: DeviceDialogProps) {
  const { items, phase } = useStore($firmware)
  // The files that suit most devices come first; the order is otherwise that of the list.
  const files = items
    .filter((file) => fitting(file, selected).length > 0)
    .sort((a, b) => fitting(b, selected).length - fitting(a, selected).length)

  const [selectedId, setSelectedId] = useState(useQuery().get('firmware') ?? '')
  const file = files.find(({ id }) => String(id) === selectedId) ?? files[0]
  const devices = fitting(file, selected)
  const isRollout = devices.length > 1
  const [versionWarning] = devices.flatMap((device) =>
    file ? (downgradePrompt(device['firmware-ver'], formatVersion(file)) ?? []) : []
  )
  const isTestBuild = file?.['firmware-id'] === 1

  const form = useForm(
    {
      file: () => (file ? undefined : { name: 'required' }),
      wave: numberRange(1, COUNT_MAX),
      stop: numberRange(0, COUNT_MAX),
      agreed: (id) => (id === file?.id || !(versionWarning || isTestBuild) ? undefined : { name: 'required' })
    },
    { file: '', wave: '10', stop: '1', agreed: 0 },
    async (values) => {
      const plan = { 'firmware-id': file?.id ?? 0, wave: Number(values.wave), 'stop-after': Number(values.stop) }
      const sendBatch = (sn: string[], force: object) =>
        send(startRollout, { sn, ...plan, ...(versionWarning && { force: true }), ...force })
      const succeeded = await runBulk({
        title: t(TEXT.title),
        devices,
        outcome: OUTCOME.updating,
        sendBatch,
        batchSize: devices.length,
        progressPath: ROLLOUTS_PATH
      })
      onClose(succeeded)
      if (succeeded && isRollout) navigate(ROLLOUTS_PATH)
      return undefined
    }
  )
  return (
    <FormDialog form={form} submitLabel={t(TEXT.title)} onClose={() => onClose()}>
      <SelectField
        {...form.field('file')}
        value={String(file?.id)}
        onValueChange={setSelectedId}
        label={t(TEXT.firmware)}
        hint={
          phase === 'ready' && !file
            ? t(TEXT.none)
            : file && devices.length < selected.length
              ? t(TEXT.fits, devices.length, selected.length)
              : undefined
        }
        options={files.map((entry) => ({ value: String(entry.id), label: firmwareName(entry) }))}
      />
      {isRollout && (
        <>
          <NumberField {...form.field('wave')} label={t(TEXT.wave)} />
          <NumberField {...form.field('stop')} label={t(TEXT.stop)} />
        </>
      )}
      <InterruptionNote devices={devices} />
      {versionWarning && <p className="banner">{downgradeQuestion(versionWarning)}</p>}
      {isTestBuild && <p className="banner">{t(TEXT.disclaimer)}</p>}
      {(versionWarning || isTestBuild) && (
        <SwitchField
          checkbox
          {...form.field('agreed')}
          // The consent holds for one file: selecting another file clears it.
          value={form.values.agreed === file?.id}
          onValueChange={(isAgreed) => form.setValues({ agreed: isAgreed ? file?.id : 0 })}
          label={t(TEXT.agree)}
        />
      )}
    </FormDialog>
  )
}

// The question before a downgrade.
const LOWER: Translation = [
  'Version {to} is lower than the installed {from}. Data and settings may be lost. Install it?',
  '版本 {to} 低于当前版本 {from}，数据和设置可能会丢失。是否安装？'
]

export function downgradeQuestion({ from, to }: DowngradePrompt): string {
  return t(LOWER, { from, to })
}
