// Sentences for the states of licences (contract/license/license.ts), whose numbers differ in meaning from the hub's
// result codes.
import { LICENSE_STATE, type LicenseRefusal } from '../../contract/license/license.ts'
import { LICENSE_STATE_SENTENCES } from '../../contract/text/error-sentences.ts'
import { codeLines } from './codes.ts'
import { type Language, type Translation, translate } from './language.ts'

const UPLOAD_AGAIN: Translation = ['Upload the file again, or request a new one.', '请重新上传文件，或申请新的文件。']

const NEXT_STEPS: Readonly<Record<number, Translation>> = {
  [LICENSE_STATE.invalid]: UPLOAD_AGAIN,
  [LICENSE_STATE.notExist]: ['Check its title and serial number.', '请检查许可证名称和序列号。'],
  [LICENSE_STATE.none]: ['The built-in license applies until one is added.', '添加许可证之前使用内置许可证。'],
  [LICENSE_STATE.caLicenseError]: UPLOAD_AGAIN,
  [LICENSE_STATE.caKeyError]: [
    'No trusted key of this hub has signed it. Install the public key of the issuer and restart the hub, or request a new license.',
    '签名密钥不在中控的受信任密钥中。请安装颁发方的公钥并重启中控，或申请新的许可证。'
  ],
  [LICENSE_STATE.error]: UPLOAD_AGAIN,
  [LICENSE_STATE.disabled]: ['Contact the issuer.', '请联系颁发方。'],
  [LICENSE_STATE.occupied]: ['Deactivate it there, or use another license.', '请先在该处停用，或使用其他许可证。']
}

const REFUSALS: Readonly<Record<LicenseRefusal, Translation>> = {
  copied: [
    'The license belongs to another machine. Request one for this machine.',
    '该许可证属于另一台机器，请为本机申请许可证。'
  ],
  'clock-set-back': [
    'The clock of the hub was set back. Set the correct time, then try again.',
    '中控的时钟被调回。请设置正确的时间后重试。'
  ],
  'server-away': [
    'The license server has not responded for 30 days. Check the network of the hub.',
    '许可证服务器已 30 天没有响应，请检查中控的网络。'
  ],
  older: [
    'A newer license with this serial number was installed before. Use the newest file.',
    '此前已安装过该序列号的更新许可证，请使用最新的文件。'
  ],
  'server-only': [
    'This license cannot be installed from a file. Activate it at the license server.',
    '该许可证不能通过文件安装，请在许可证服务器上激活。'
  ],
  'no-license': [
    'The file is not a license file. Choose the one from the issuer.',
    '该文件不是许可证文件，请选择颁发方提供的文件。'
  ],
  'untrusted-server': [
    'The answer of the license server cannot be trusted. Check its address and the trusted keys of the hub.',
    '许可证服务器的应答不可信。请检查其地址和中控的受信任密钥。'
  ]
}

/**
 * Lines for a state: its meaning, then the reason or the next step for the user. An unknown state is treated as a
 * result code of the hub.
 */
export function licenseLines(language: Language, state: number, reason?: LicenseRefusal): string[] {
  const sentence = LICENSE_STATE_SENTENCES[state]
  if (!sentence) return codeLines(language, state)
  const step = reason ? REFUSALS[reason] : NEXT_STEPS[state]
  return [sentence, ...(step ? [step] : [])].map((line) => translate(language, line))
}
