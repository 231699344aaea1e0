// Sentences for refused certificates, keys and changes of HTTPS: first why, then what to do.
import { CA_KEY_ERROR, CA_LICENSE_ERROR, WRONG_STATE } from '../../contract/codes.ts'
import type { CertificateFault, KeyFault } from '../../contract/web/certificate.ts'
import type { WebFault } from '../../contract/web/settings.ts'
import { type Language, type Translation, translate } from './language.ts'

export const CERTIFICATE_SENTENCES: Readonly<Record<CertificateFault, Translation>> = {
  certificate: [
    'This file is no certificate in PEM format\nChoose the certificate, or the chain that begins with it (.pem, .crt).',
    '该文件不是 PEM 格式的证书\n请选择证书文件或以该证书开头的证书链（.pem、.crt）。'
  ],
  'key-instead': [
    'This file contains a private key\nUpload the certificate alone here, and the key in its own file.',
    '该文件包含私钥\n请在此处仅上传证书，私钥请使用单独的文件上传。'
  ],
  unreadable: ['The certificate is damaged\nExport it again in PEM format.', '证书已损坏\n请重新以 PEM 格式导出。'],
  expired: [
    'The certificate, or one of its issuers, has expired\nObtain a new one.',
    '证书或其颁发者的证书已过期\n请申请新证书。'
  ],
  'not-yet-valid': [
    'The certificate is not valid yet\nCheck the time of the hub, or wait until it is valid.',
    '证书尚未生效\n请检查中控的时间，或等待证书生效。'
  ],
  chain: [
    'The file has certificates that do not belong together\nUpload the certificate with its issuers only.',
    '文件中包含不属于同一证书链的证书\n请仅上传证书及其颁发者的证书。'
  ],
  'no-name': [
    'The certificate has no name or address (subject alternative name)\nBrowsers accept none without. Obtain a new one.',
    '证书不包含名称或地址（使用者备用名称）\n浏览器不接受此类证书，请申请新证书。'
  ],
  refused: [
    'The certificate or its key is too weak for TLS\nObtain one with an RSA key of at least 2048 bits, or an EC key.',
    '证书或其私钥的强度不足以用于 TLS\n请使用至少 2048 位的 RSA 密钥或 EC 密钥申请证书。'
  ]
}

export const KEY_SENTENCES: Readonly<Record<KeyFault, Translation>> = {
  'private-key': [
    'This file is no private key in PEM format\nChoose the key of the certificate (.pem, .key).',
    '该文件不是 PEM 格式的私钥\n请选择证书对应的私钥文件（.pem、.key）。'
  ],
  'certificate-instead': [
    'This file is a certificate\nUpload it in the field above, and its private key here.',
    '该文件是证书\n请在上方上传证书，在此处上传私钥。'
  ],
  encrypted: [
    'The private key is protected by a passphrase\nThe hub cannot ask for it when it starts. Remove it: openssl pkey -in key.pem -out plain.pem',
    '私钥受密码保护\n中控启动时无法输入密码，请先去除密码：openssl pkey -in key.pem -out plain.pem'
  ],
  unreadable: ['The private key is damaged\nExport it again in PEM format.', '私钥已损坏\n请重新以 PEM 格式导出。'],
  mismatch: [
    'The private key does not belong to the certificate\nUpload the key with which the certificate was requested.',
    '私钥与证书不匹配\n请上传申请该证书时所用的私钥。'
  ]
}

export const WEB_SENTENCES: Readonly<Record<WebFault, Translation>> = {
  'not-over-https': [
    'This can only be set over HTTPS\nOpen the console over HTTPS first: that shows that it is reachable.',
    '此项只能通过 HTTPS 设置\n请先通过 HTTPS 打开控制台，以确认其可以访问。'
  ],
  'not-trusted': [
    'Browsers would refuse this certificate\nHSTS needs one from a trusted authority that is valid for the name under which you open the hub. Install it, or turn HSTS off.',
    '浏览器不会接受此证书\nHSTS 要求使用由受信任机构为中控访问名称签发的证书。请安装此类证书，或关闭 HSTS。'
  ],
  'hsts-on': [
    'Browsers use HTTPS only\nTurn HSTS off first, and open the console once in each browser so that it forgets it.',
    '浏览器目前仅使用 HTTPS\n请先关闭 HSTS，并在每个浏览器中打开一次控制台，使其清除该设置。'
  ],
  'hsts-port': [
    'Browsers use HTTPS only under this name, and cannot confirm the new port\nOpen the console under an IP address of the hub, or turn HSTS off first.',
    '浏览器在此名称下仅使用 HTTPS，无法确认新端口\n请通过中控的 IP 地址打开控制台，或先关闭 HSTS。'
  ],
  'trial-open': [
    'Another port is waiting for its confirmation\nConfirm or undo that change first.',
    '另一个端口正在等待确认\n请先确认或撤销该更改。'
  ],
  'one-port': [
    'One port can be changed at a time\nChange the next one when this one is confirmed.',
    '一次只能更改一个端口\n请在确认此端口后再更改下一个。'
  ],
  privileged: [
    'The hub may not open ports below 1024\nChoose another port, or give the hub the capability CAP_NET_BIND_SERVICE.',
    '中控无权打开 1024 以下的端口\n请选择其他端口，或为中控授予 CAP_NET_BIND_SERVICE 权限。'
  ],
  'no-certificate': [
    'The hub has no certificate\nInstall the program openssl, or upload a certificate.',
    '中控没有证书\n请安装 openssl 程序，或上传证书。'
  ]
}

/** The lines for a fault; undefined if the fault is of another kind. */
export function webFaultLines(language: Language, result: number, fault: string | undefined): string[] | undefined {
  const sentences: Readonly<Record<string, Translation>> =
    result === CA_LICENSE_ERROR
      ? CERTIFICATE_SENTENCES
      : result === CA_KEY_ERROR
        ? KEY_SENTENCES
        : result === WRONG_STATE
          ? WEB_SENTENCES
          : {}
  const sentence = sentences[fault ?? '']
  return sentence && translate(language, sentence).split('\n')
}
