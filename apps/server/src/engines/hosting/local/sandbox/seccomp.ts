import { endianness } from 'node:os'

/**
 * System calls that no website needs and that reach the kernel's administration: the calls that
 * Docker's default profile denies without capabilities (docs.docker.com/engine/security/seccomp).
 * Numbers are from the kernel's tables, x86-64 first, then arm64; 0 where the architecture has
 * none.
 */
const denied: Record<string, readonly [x64: number, arm64: number]> = {
  acct: [163, 89],
  add_key: [248, 217],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  ioperm: [173, 0],
  iopl: [172, 0],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  mbind: [237, 235],
  migrate_pages: [256, 238],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  move_pages: [279, 239],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  personality: [135, 92],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  set_mempolicy: [238, 237],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  uselib: [134, 0],
  userfaultfd: [323, 282],
  vhangup: [153, 58],
}

/** Calls that fail as if the kernel did not have them: their callers then use older ones. */
const missing = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, clone3: 435 }

const architectures: Partial<
  Record<NodeJS.Architecture, { audit: number; clone: number; socket: number; column: 0 | 1 }>
> = {
  x64: { audit: 0xc000003e, clone: 56, socket: 41, column: 0 },
  arm64: { audit: 0xc00000b7, clone: 220, socket: 198, column: 1 },
}

/**
 * Families of sockets that a program may open: AF_UNIX, AF_INET and AF_INET6. Others, such as
 * AF_VSOCK, which leads to the hypervisor, are not of the network namespace, or are parts of the
 * kernel that no website needs, such as AF_ALG.
 */
const socketFamilies = [1, 2, 10]
/** AF_NETLINK with NETLINK_ROUTE: the interfaces of the namespace, as getifaddrs(3) lists them. */
const netlink = { family: 16, route: 0 }

/** The flags of clone(2) that make a namespace. */
const namespaceFlags = 0x7e020000

// Instructions and results of classic BPF, and the offsets of `struct seccomp_data` (seccomp(2)).
const load = 0x20
const ifEqual = 0x15
const ifGreaterOrEqual = 0x35
const ifAnyBit = 0x45
const end = 0x06
const offsets = { number: 0, architecture: 4, firstArgument: 16, thirdArgument: 32 }
const allow = 0x7fff0000
const kill = 0x80000000
const fail = (errno: number) => 0x00050000 | errno
const notPermitted = 1
const notImplemented = 38
const noSuchFamily = 97

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number]

/**
 * A filter for `bwrap --seccomp`: denied calls fail with EPERM, unknown architectures end the
 * process. Null on an architecture without a list.
 */
export function seccompFilter(arch: NodeJS.Architecture = process.arch): Buffer | null {
  const architecture = architectures[arch]
  if (!architecture || endianness() !== 'LE') return null
  const { audit, clone, socket, column } = architecture
  const failsWith = (number: number, errno: number): Instruction[] => [
    [ifEqual, 0, 1, number],
    [end, 0, 0, fail(errno)],
  ]
  const openSocket: Instruction[] = [
    [load, 0, 0, offsets.firstArgument],
    ...socketFamilies.flatMap((family): Instruction[] => [
      [ifEqual, 0, 1, family],
      [end, 0, 0, allow],
    ]),
    [ifEqual, 0, 3, netlink.family],
    [load, 0, 0, offsets.thirdArgument],
    [ifEqual, 0, 1, netlink.route],
    [end, 0, 0, allow],
    [end, 0, 0, fail(noSuchFamily)],
  ]
  const program: Instruction[] = [
    [load, 0, 0, offsets.architecture],
    [ifEqual, 1, 0, audit],
    [end, 0, 0, kill],
    [load, 0, 0, offsets.number],
    // The x32 calls of x86-64 have other numbers and would pass the list.
    [ifGreaterOrEqual, 0, 1, 0x40000000],
    [end, 0, 0, kill],
    ...Object.values(denied).flatMap((numbers) =>
      numbers[column] === 0 ? [] : failsWith(numbers[column], notPermitted),
    ),
    ...Object.values(missing).flatMap((number) => failsWith(number, notImplemented)),
    [ifEqual, 0, openSocket.length, socket],
    ...openSocket,
    [ifEqual, 0, 3, clone],
    [load, 0, 0, offsets.firstArgument],
    [ifAnyBit, 0, 1, namespaceFlags],
    [end, 0, 0, fail(notPermitted)],
    [end, 0, 0, allow],
  ]
  return Buffer.concat(program.map(encode))
}

/** `struct sock_filter` of linux/filter.h. */
function encode([code, ifTrue, ifFalse, value]: Instruction) {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}
