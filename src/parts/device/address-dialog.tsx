// A device that does not dial in: where it is reached, and with what one signs in there.
import { AUTH_FAILED, BAD_ADDRESS, CONN_REFUSED, NO_RESPONSE } from '../../../contract/codes.ts'
import { addDevice, setDeviceAddress } from '../../../contract/device/address.ts'
import type { Device } from '../../../contract/device/device.ts'
import { host, optional, port, type RuleSet, required } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { PasswordField } from '../../form/password-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { change } from '../../state/toasts.ts'
import { type Pair, t } from '../../text/language.ts'

const TEXT = {
  add: ['Add device', '添加设备'],
  address: ['Address', '地址'],
  port: ['Port', '端口'],
  https: ['HTTPS', 'HTTPS'],
  user: ['User name', '用户名'],
  password: ['Password', '密码'],
  addHint: ['For devices that do not connect by themselves.', '用于不会主动连接的设备。'],
  keep: ['What is left empty stays.', '留空则保持不变。'],
  forget: ['Trust its new certificate', '信任其新证书'],
  title: ['Address of {0}', '{0}的地址']
} as const satisfies Record<string, Pair>

interface Values {
  address: string
  port: string
  https: boolean
  user: string
  password: string
  forget: boolean
}

const RULES: RuleSet<Values> = { address: host, port: optional(port) }
const ALL_RULES: RuleSet<Values> = { ...RULES, user: required, password: required }

/** Of what the hub refuses, what is about a field. */
const CODES = {
  [AUTH_FAILED]: 'password',
  [BAD_ADDRESS]: 'address',
  [CONN_REFUSED]: 'address',
  [NO_RESPONSE]: 'address'
} as const

interface AddressDialogProps {
  /** The one whose address changes; without it one is added. */
  device?: Device
  onClose: (well?: boolean) => void
}

export function AddressDialog({ device, onClose }: AddressDialogProps) {
  const at = device?.at
  const form: Form<Values> = useForm<Values>(
    at ? RULES : ALL_RULES,
    {
      address: at?.address ?? '',
      port: at ? String(at.port) : '',
      https: at?.https ?? false,
      user: '',
      password: '',
      forget: false
    },
    async ({ address, port: typed, https, user, password, forget }) => {
      const where = { address, port: typed ? Number(typed) : undefined, https }
      const options = { quiet: form.takes }
      return device
        ? change(
            setDeviceAddress,
            {
              ...where,
              sn: device.sn,
              // Empty ones stay as they are.
              user: user || undefined,
              password: password || undefined,
              'forget-cert': forget || undefined
            },
            options
          )
        : change(addDevice, { ...where, user, password }, options)
    },
    { codes: CODES, done: () => onClose(true) }
  )
  const { field, values } = form
  return (
    <FormDialog
      form={form}
      title={device && t(TEXT.title, device.name)}
      verb={device ? undefined : t(TEXT.add)}
      onClose={onClose}
    >
      <p className="muted">{t(device ? TEXT.keep : TEXT.addHint)}</p>
      <div className="fields">
        <TextField {...field('address')} label={t(TEXT.address)} autoFocus />
        <NumberField {...field('port')} label={t(TEXT.port)} placeholder={values.https ? '443' : '80'} />
      </div>
      <SwitchField {...field('https')} label={t(TEXT.https)} />
      <div className="fields">
        <TextField {...field('user')} label={t(TEXT.user)} />
        <PasswordField {...field('password')} label={t(TEXT.password)} />
      </div>
      {at?.['cert-sha256'] && <SwitchField {...field('forget')} label={t(TEXT.forget)} />}
    </FormDialog>
  )
}
