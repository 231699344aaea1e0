// Joins a Wi-Fi network, or provides one.
import { useEffect, useState } from 'react'
import {
  type JoinWifiRequest,
  type NetworkInterface,
  WIFI_SECURITIES,
  type WifiNetwork,
  type WifiSecurity
} from '../../../contract/machine/network.ts'
import { ssid, wifiPassword, wifiSecurity } from '../../../contract/rules/interface.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { type Translation, t } from '../../text/language.ts'
import { loadFailed } from '../../ui/text.ts'
import { join, scan } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  /** Index in the list of networks; empty = another one. */
  choice: string
  ssid: string
  security: WifiSecurity
  password: string
  hidden: boolean
  hotspot: boolean
}

const RULES: RuleSet<Values> = {
  ssid,
  security: wifiSecurity,
  password: (value, { security }) => (security === 'open' ? undefined : wifiPassword(value))
}

const SECURITY_LABELS = { wpa2: 'WPA2', wpa3: 'WPA3', other: '–' }
const securityText = (security: WifiNetwork['security']) =>
  security === 'open' ? t(TEXT.open) : SECURITY_LABELS[security]

const networkText = ({ ssid: name, signal, band, security }: WifiNetwork) =>
  `${name} · ${signal} % · ${band} GHz · ${securityText(security)}`

interface Scan {
  /** Without those that the hub cannot join. */
  networks: readonly WifiNetwork[]
  /** What the list shows while no network is chosen. */
  placeholder: Translation
}

/** Scans once for the networks in range. */
function useScan(iface: string): Scan {
  const [found, setFound] = useState<Scan>({ networks: [], placeholder: TEXT.scanning })
  useEffect(() => {
    let isOpen = true
    void scan(iface).then((list) => {
      if (!isOpen) return
      const networks = (list ?? []).filter(({ security }) => security !== 'other')
      setFound({ networks, placeholder: !list ? loadFailed : networks.length > 0 ? TEXT.other : TEXT.noNetworks })
    })
    return () => {
      isOpen = false
    }
  }, [iface])
  return found
}

interface WifiDialogProps {
  current: NetworkInterface
  /** Values of an attempt that was undone. */
  wanted?: Partial<JoinWifiRequest>
  onClose: () => void
}

export function WifiDialog({ current: { iface }, wanted = {}, onClose }: WifiDialogProps) {
  const { networks, placeholder } = useScan(iface)
  const form: Form<Values> = useForm<Values>(
    RULES,
    {
      choice: '',
      ssid: wanted.ssid ?? '',
      security: wanted.security ?? 'wpa2',
      password: '',
      hidden: wanted.hidden ?? false,
      hotspot: wanted.hotspot ?? false
    },
    ({ choice: _, password, ...values }, options) =>
      join({ iface, ...values, password: values.security === 'open' ? '' : password }, options),
    { onSuccess: onClose }
  )
  const { hotspot, security, choice } = form.values
  const choose = (index: string) => {
    const network = networks[Number(index)]
    if (index === '' || !network) return form.setValues({ choice: '' })
    form.setValues({ choice: index, ssid: network.ssid, security: network.security as WifiSecurity, hidden: false })
  }
  const setHotspot = (isOn: boolean) =>
    form.setValues({
      hotspot: isOn,
      ...(wifiSecurity(security, { hotspot: isOn }) && { choice: '', security: 'wpa2' })
    })
  return (
    <FormDialog form={form} title={t(TEXT.wifiOf, iface)} submitLabel={t(TEXT.join)} onClose={onClose}>
      {!hotspot && (
        <SelectField
          {...form.field('choice')}
          onValueChange={choose}
          label={t(TEXT.choose)}
          placeholder={t(placeholder)}
          options={networks.map((network, index) => ({ value: String(index), label: networkText(network) }))}
        />
      )}
      {(hotspot || choice === '') && (
        <>
          <TextField {...form.field('ssid')} label={t(TEXT.ssid)} autoFocus />
          <SelectField
            {...form.field('security')}
            label={t(TEXT.security)}
            options={WIFI_SECURITIES.filter((value) => !wifiSecurity(value, { hotspot })).map((value) => ({
              value,
              label: securityText(value)
            }))}
          />
        </>
      )}
      {security !== 'open' && <TextField {...form.field('password')} label={t(TEXT.password)} secret />}
      {!hotspot && choice === '' && <SwitchField {...form.field('hidden')} label={t(TEXT.hidden)} checkbox />}
      <SwitchField
        {...form.field('hotspot')}
        onValueChange={setHotspot}
        label={t(TEXT.hotspot)}
        hint={t(TEXT.hotspotHint)}
      />
      <p className="muted">{t(TEXT.safe)}</p>
    </FormDialog>
  )
}
