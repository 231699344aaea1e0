// Sentences for the registration of the hub with a cloud.
import type { CloudFault } from '../../contract/cloud-registration.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../contract/device/link.ts'
import { type Language, type Translation, translate } from './language.ts'

const { registering, accepted, rejected, pending, deleted } = REGISTRATION_STATE
const { exists, wrongCode, illegalDevice } = REFUSAL_STATE

const STATES: Readonly<Record<number, Translation>> = {
  [registering]: ['Registering', '正在注册'],
  [pending]: ['Waiting until a user of the cloud accepts this hub', '等待云端用户接受本中控'],
  [accepted]: ['Accepted', '已接受'],
  [rejected]: ['Rejected by a user of the cloud', '已被云端用户拒绝'],
  [deleted]: [
    'Deleted by a user of the cloud. Save the settings to register again.',
    '已被云端用户删除。要重新注册，请再次保存设置。'
  ],
  [exists]: [
    'The cloud has another hub with this serial number. Delete that one in the cloud.',
    '云端已有使用此序列号的另一台中控。请先在云端将其删除。'
  ],
  [wrongCode]: [
    'Wrong invitation. Enter the one that the cloud shows now.',
    '邀请码错误。请输入云端当前显示的邀请码。'
  ],
  [illegalDevice]: [
    'The cloud does not accept this hub. Update the hub and the cloud.',
    '云端不接受本中控。请更新中控和云端。'
  ]
}

const FAULTS: Readonly<Record<CloudFault, Translation>> = {
  refused: ['The connection is refused. Check address and port.', '连接被拒绝。请检查地址和端口。'],
  timeout: ['The cloud does not respond. Check the address and the network.', '云端没有响应。请检查地址和网络。'],
  name: ['The name of the cloud is not found. Check the address.', '找不到云端的名称。请检查地址。'],
  'forbidden-address': [
    'The address of the cloud is not allowed. Choose one that is not link-local.',
    '不允许使用该云端地址。请使用非链路本地地址。'
  ],
  'no-cloud': ['The server is not a cloud. Check address and port.', '该服务器不是云端。请检查地址和端口。'],
  'no-ssl': [
    'The server does not speak SSL. Check address and port, or turn SSL off.',
    '该服务器不支持 SSL。请检查地址和端口，或关闭 SSL。'
  ],
  'ssl-required': ['The cloud demands SSL. Turn SSL on.', '云端要求使用 SSL。请开启 SSL。'],
  unverified: [
    'The certificate of the cloud is from no known authority. Enter an invitation with a fingerprint.',
    '云端证书并非由已知机构签发。请输入带指纹的邀请码。'
  ],
  'other-key': [
    'The server has another key than the cloud. Somebody may be in between. If the cloud was set up again, enter its new invitation.',
    '该服务器的密钥与云端不同，连接可能被他人截获。如果云端已重新部署，请输入其新的邀请码。'
  ],
  unreachable: ['The cloud cannot be reached. Check the address and the network.', '无法连接云端。请检查地址和网络。'],
  secrets: ['The stored key cannot be read. Enter the invitation again.', '无法读取存储的密钥。请重新输入邀请码。']
}

/** The sentence of a registration state. An unknown state is shown as it is. */
export function cloudStateText(language: Language, state: string): string {
  const sentence = STATES[Number(state)]
  return sentence ? translate(language, sentence) : state
}

/** Why the cloud is not connected. An unknown fault is shown as it is. */
export const cloudFaultText = (language: Language, fault: string): string =>
  Object.hasOwn(FAULTS, fault) ? translate(language, FAULTS[fault as CloudFault]) : fault
