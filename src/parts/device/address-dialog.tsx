// Adds a device that does not connect to the hub by itself, or changes the address at which the hub connects to it.
import { AUTH_FAILED, BAD_ADDRESS, CLIENT_NOT_EXIST, CONN_REFUSED, NO_RESPONSE } from '../../../contract/codes.ts'
import { addDevice, setDeviceAddress } from '../../../contract/device/address.ts'
import type { Device } from '../../../contract/device/device.ts'
import type { Discovered } from '../../../contract/device/discovery.ts'
import { host, optional, port, type RuleSet } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, PasswordField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { sendMutation } from '../../state/mutations.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { deviceLink } from './device-link.ts'

const TEXT = {
  add: ['Add device', '添加设备'],
  address: ['Address', '地址'],
  addressHint: ['IP address or full host name', 'IP 地址或完整主机名'],
  otherDevice: ['Another device responds at this address.', '在此地址响应的是另一台设备。'],
  port: ['Port', '端口'],
  rtmpPort: ['RTMP port', 'RTMP 端口'],
  https: ['HTTPS', 'HTTPS'],
  user: ['User name', '用户名'],
  password: ['Password', '密码'],
  addHint: ['For devices that cannot connect to the hub themselves.', '用于无法主动连接中控的设备。'],
  keep: ['Empty fields stay unchanged.', '留空则保持不变。'],
  title: ['Address of {0}', '{0}的地址']
} as const satisfies Record<string, Translation>

interface Values {
  address: string
  port: string
  rtmpPort: string
  https: boolean
  user: string
  password: string
}

const RULES: RuleSet<Values> = { address: host, port: optional(port), rtmpPort: optional(port) }

/** The field at which a result code is shown. */
const CODES = {
  [AUTH_FAILED]: 'password',
  [BAD_ADDRESS]: 'address',
  [CLIENT_NOT_EXIST]: 'address',
  [CONN_REFUSED]: 'address',
  [NO_RESPONSE]: 'address'
} as const

interface AddressDialogProps {
  /** The device whose address is edited; without it, the dialog adds a device. */
  device?: Device
  /** What a search has found, which is added. */
  found?: Discovered
  onClose: (succeeded?: boolean) => void
}

export function AddressDialog({ device, found, onClose }: AddressDialogProps) {
  const savedRtmpPort = device?.at?.['rtmp-port']
  const deviceAddress = device?.at ?? found
  const form = useForm<Values>(
    RULES,
    {
      address: deviceAddress?.address ?? '',
      port: deviceAddress ? String(deviceAddress.port) : '',
      rtmpPort: String(savedRtmpPort ?? ''),
      https: deviceAddress?.https ?? false,
      user: '',
      password: ''
    },
    async ({ address, port: portText, rtmpPort, https, user, password }, options) => {
      const endpoint = { address, port: portText ? Number(portText) : undefined, https }
      const reply = await (device
        ? sendMutation(
            setDeviceAddress,
            {
              ...endpoint,
              sn: device.sn,
              'rtmp-port': Number(rtmpPort) || undefined,
              // The hub keeps the credentials that are left out.
              user: user || undefined,
              password: password || undefined
            },
            { ...options, success: { text: OUTCOME.saved, names: [device.name], path: deviceLink(device) } }
          )
        : sendMutation(
            addDevice,
            { ...endpoint, user: user || undefined, password: password || undefined },
            { ...options, success: { text: OUTCOME.added, names: [address] } }
          ))
      return reply.result === CLIENT_NOT_EXIST ? { ...reply, message: t(TEXT.otherDevice) } : reply
    },
    { fieldOfCode: CODES, onSuccess: () => onClose(true) }
  )
  const { field, values } = form
  return (
    <FormDialog
      form={form}
      title={device && t(TEXT.title, device.name)}
      submitLabel={device ? undefined : t(TEXT.add)}
      onClose={onClose}
    >
      <p className="muted">{t(device ? TEXT.keep : TEXT.addHint)}</p>
      <div className="fields">
        <TextField {...field('address')} label={t(TEXT.address)} hint={t(TEXT.addressHint)} autoFocus />
        <NumberField {...field('port')} label={t(TEXT.port)} placeholder={values.https ? '443' : '80'} />
        {savedRtmpPort && <NumberField {...field('rtmpPort')} label={t(TEXT.rtmpPort)} />}
      </div>
      <SwitchField {...field('https')} label={t(TEXT.https)} />
      <div className="fields">
        <TextField {...field('user')} label={t(TEXT.user)} />
        <PasswordField {...field('password')} label={t(TEXT.password)} />
      </div>
    </FormDialog>
  )
}
