// Sentences for the result codes of the Ultra family (contract/device/ultra-codes.ts), whose numbers differ in meaning
// from the hub's.
import { codeLines } from './codes.ts'
import { type Language, type Translation, translate } from './language.ts'

const SENTENCES: Readonly<Record<number, readonly Translation[]>> = {
  0: [['Operation succeeded', '操作成功']],
  1: [['Repeated operations', '重复操作']],
  2: [['Still in progress', '正在进行']],
  3: [
    ['The storage is too slow', '存储写入速度过慢'],
    ['Use a faster drive.', '请使用更快的存储设备。']
  ],
  4: [
    ['The storage is almost full', '存储空间即将用尽'],
    ['Free some space first.', '请先释放空间。']
  ],
  5: [['Cancelled', '已取消']],
  22: [['Connected', '已连接']],
  23: [['Connecting', '正在连接']],
  24: [['Waiting for a connection', '正在等待连接']],
  25: [['Signing in', '正在认证']],
  27: [['Idle', '空闲']],
  28: [['Resolving the host name', '正在解析主机名']],
  29: [
    ['No live address is set', '未设置直播地址'],
    ['Add a streaming server first.', '请先添加流媒体服务器。']
  ],
  30: [
    ['Authorization failed', '认证失败'],
    ['Check user name and password.', '请检查用户名和密码。']
  ],
  [-1]: [
    ['Incorrect account or password', '用户名或密码错误'],
    ['Enter it again.', '请重新输入。']
  ],
  [-2]: [['Occupied', '被占用']],
  [-4]: [
    ['Device error', '设备错误'],
    ['If the error persists, reboot the device.', '如持续出现，请重启设备。']
  ],
  [-5]: [
    ['Storage error', '存储错误'],
    ['Check or replace the storage.', '请检查或更换存储设备。']
  ],
  [-6]: [['Not connected', '未连接']],
  [-7]: [['Invalid key', '密钥无效']],
  [-8]: [['Wrong version', '版本不符']],
  [-9]: [
    ['The device is busy', '设备忙'],
    ['Try again in a moment.', '请稍后重试。']
  ],
  [-10]: [
    ['Invalid request parameters', '请求参数无效'],
    ['Check your entry.', '请检查输入。']
  ],
  [-11]: [['Not yet supported', '暂不支持']],
  [-12]: [
    ['The operation timed out', '操作超时'],
    ['The operation may have completed. Check before you try again.', '操作可能已经完成，请确认后再重试。']
  ],
  [-14]: [['This configuration has been deleted by another user.', '该配置已被其他用户删除。']],
  [-15]: [
    ['Invalid file', '文件无效'],
    ['Choose another one.', '请换一个。']
  ],
  [-16]: [
    ['Not enough space', '空间不足'],
    ['Free some space first.', '请先释放空间。']
  ],
  [-17]: [['Not signed in', '未登录']],
  [-18]: [
    ['System error of the device', '设备系统错误'],
    ['If the error persists, reboot the device.', '如持续出现，请重启设备。']
  ],
  [-19]: [
    ['The storage is too slow', '存储写入速度过慢'],
    ['Use a faster drive.', '请使用更快的存储设备。']
  ],
  [-20]: [['No content', '内容为空']],
  [-21]: [
    ['Network error of the device', '设备网络错误'],
    ['Check its power and network.', '请检查其电源和网络。']
  ],
  [-22]: [['Device error', '设备错误']],
  [-23]: [['Codec error', '编解码错误']],
  [-25]: [['The user does not exist', '用户不存在']],
  [-26]: [['No permission to operate.', '没有操作权限。']],
  [-27]: [
    ['The name already exists', '名称已存在'],
    ['Choose another one.', '请换一个。']
  ],
  [-28]: [
    ['The input string is incorrect', '输入的字符串不正确'],
    ['Check your entry.', '请检查输入。']
  ],
  [-29]: [['6 live sessions at most', '最多 6 路直播']],
  [-34]: [
    ['The file does not match the model', '文件与设备型号不匹配'],
    ['Choose another one.', '请换一个。']
  ],
  [-35]: [
    ['No signal', '无信号'],
    ['Check the input.', '请检查输入。']
  ],
  [-36]: [
    ['SD card error', 'SD 卡错误'],
    ['Check or replace the storage.', '请检查或更换存储设备。']
  ],
  [-41]: [['One RTSP session at a time', '同时只能有一路 RTSP']],
  [-44]: [
    ['The port is already in use', '端口已被占用'],
    ['Choose another one.', '请换一个。']
  ],
  [-45]: [['One NDI HX session at a time', '同时只能有一路 NDI HX']],
  [-46]: [['One SRT listener at a time', '同时只能有一路 SRT 监听']],
  [-47]: [['The sub stream may have up to 640x480 at 60 fps with NDI HX', '使用 NDI HX 时子码流最高为 640x480 60 帧']],
  [-48]: [['The sub stream may have up to 1280x720 at 30 fps', '子码流最高为 1280x720 30 帧']],
  [-49]: [['One HLS session at a time', '同时只能有一路 HLS']],
  [-50]: [['One session of each protocol at a time', '每种协议同时只能有一路']],
  [-51]: [
    ['The live channel could not be started', '直播通道启动失败'],
    ['Check its settings, then try again.', '请检查设置后重试。']
  ],
  [-52]: [['The deinterlacing setting does not allow this', '去隔行设置不允许此操作']],
  [-53]: [['One TVU session at a time', '同时只能有一路 TVU']],
  [-54]: [['One session of each protocol at a time', '每种协议同时只能有一路']],
  [-55]: [['Above 2048x1080 the encoder allows up to 30 fps', '分辨率高于 2048x1080 时编码最高 30 帧']],
  [-56]: [['Above 2048x1080 the input may have up to 30 fps', '分辨率高于 2048x1080 时输入最高 30 帧']],
  [-58]: [['The mount point of the network storage is invalid', '网络存储挂载点无效']],
  [-102]: [['Invalid certificate', '证书无效']],
  [-103]: [['Invalid private key', '私钥无效']]
}

/**
 * Lines for a result code: the problem, then the next steps. An unknown code is treated as a result code of the hub.
 */
export function ultraLines(language: Language, code: number): string[] {
  return SENTENCES[code]?.map((line) => translate(language, line)) ?? codeLines(language, code)
}

/** The problem, without the next step. */
export function ultraCodeText(language: Language, code: number): string {
  return ultraLines(language, code)[0] ?? ''
}
