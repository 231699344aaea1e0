// Sentences for checks and downloads of releases: the problem, then the next steps.
import { FIRMWARE_SPACE_MIN } from '../../contract/firmware.ts'
import type { OnlineFault, OnlineFaultDetails } from '../../contract/online.ts'
import { type Language, type Translation, translate } from './language.ts'

const CHECK_SERVER: Translation = ['Check the address and the server.', '请检查地址和服务器。']
const ASK_PUBLISHER: Translation = ['Ask the publisher of the releases.', '请联系发布者。']
const TRY_AGAIN: Translation = ['Try again. What has arrived is kept.', '请重试，已下载的部分会保留。']

const FAULTS: Readonly<Record<OnlineFault, readonly Translation[]>> = {
  unreachable: [['The server with releases cannot be reached: {error}', '无法连接发布服务器：{error}'], CHECK_SERVER],
  'forbidden-address': [
    ['The address of the server is not allowed', '不允许使用该服务器地址'],
    ['Choose one that is not link-local.', '请使用非链路本地地址。']
  ],
  certificate: [
    ['The certificate of the server is not trusted: {error}', '服务器证书不受信任：{error}'],
    ['Install its authority on this machine.', '请在本机安装其证书颁发机构。']
  ],
  'http-status': [['The server answered with status {status}', '服务器返回状态 {status}'], CHECK_SERVER],
  redirect: [['The server redirects in a way that is not followed', '服务器的重定向不被接受'], CHECK_SERVER],
  timeout: [['The server did not answer in time', '服务器响应超时'], TRY_AGAIN],
  'too-large': [['The server sent more than announced', '服务器发送的数据超出声明的大小'], ASK_PUBLISHER],
  'cut-short': [['The download broke off', '下载中断'], TRY_AGAIN],
  'wrong-digest': [
    ['The downloaded file is not the one that was published', '下载的文件与发布的文件不一致'],
    ASK_PUBLISHER
  ],
  'no-space': [
    ['Not enough space: {min} MB must stay free', '空间不足：须保留 {min} MB'],
    ['Free some space first.', '请先释放空间。']
  ],
  cancelled: [['The download was cancelled', '下载已取消']],
  'wrong-key': [
    ['The list of releases is signed with a key that this hub does not trust', '发布列表由本中控不信任的密钥签名'],
    ['Ask whoever installed the hub to add the key of the publisher.', '请中控的安装人员添加发布者的密钥。']
  ],
  development: [
    [
      'The list of releases is signed with the public development key, which this hub does not trust',
      '发布列表由公开的开发密钥签名，本中控不信任'
    ],
    ASK_PUBLISHER
  ],
  tampered: [['The list of releases was changed after it was signed', '发布列表在签名后被修改'], ASK_PUBLISHER],
  format: [
    ['The list of releases has a format that this hub does not support', '本中控无法识别发布列表的格式'],
    ['Update the hub first.', '请先更新中控。']
  ],
  'wrong-name': [['The server has the list of other releases', '服务器上是其他产品的发布列表'], CHECK_SERVER],
  expired: [['The list of releases has expired', '发布列表已过期'], ASK_PUBLISHER],
  'rolled-back': [['The list of releases is older than the one before', '发布列表比之前的更旧'], ASK_PUBLISHER]
}

/** Why there are no releases without a server. */
const NO_SERVER: readonly Translation[] = [
  ['No server with releases is set up', '未设置发布服务器'],
  ['An administrator enters its address.', '请由管理员填写其地址。']
]
export const noServerLines = (language: Language): string[] => NO_SERVER.map((line) => translate(language, line))

/** Lines for a fault: the problem, then the next step. */
export function onlineFaultLines(language: Language, fault: OnlineFault, details: OnlineFaultDetails = {}): string[] {
  const { status = 0, error = '' } = details
  return FAULTS[fault].map((line) => translate(language, line, { status, error, min: FIRMWARE_SPACE_MIN }))
}
