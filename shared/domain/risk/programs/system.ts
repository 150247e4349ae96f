import { type Args } from '../args.ts'
import { type Call, each, type ProgramSpec, wholeCall } from '../spec.ts'

const HELP = '--help --version -V'
const CHANGES: ProgramSpec = { always: 'system_change', unless: HELP, mentions: true }

/** Jobs of this very shell may be stopped; any other process may belong to somebody else. */
function kill(call: Call, args: Args): void {
  const isOwn = args.operands.length > 0 && args.operands.every((word) => word.value.startsWith('%'))
  const isListing = args.options.some((option) => option.name === '-l')
  if (!isOwn && !isListing) call.session.report('system_change', wholeCall(call))
}

/** `env` and `printenv` without a program print every variable, tokens included. */
function printEnvironment(call: Call, args: Args): void {
  if (call.name.value.endsWith('printenv')) {
    const isAsked = args.operands.length > 0
    const isTame = args.operands.every((word) =>
      /^(?:PATH|HOME|PWD|SHELL|USER|LANG|TERM|CI|NODE_ENV|TMPDIR|LC_\w+)$/.test(word.value),
    )
    if (!isAsked || !isTame) call.session.report('secret_access', wholeCall(call))
  }
}

function dumpVariables(call: Call): void {
  const [first] = call.words
  if (!first || (first.value === '-p' && call.words.length === 1))
    call.session.report('secret_access', wholeCall(call))
}

/** Programs that change the machine, its users or its processes, and those that open its key stores. */
export const SYSTEM: Record<string, ProgramSpec> = {
  ...each(
    'systemctl service launchctl initctl rc-service update-rc.d chkconfig loginctl hostnamectl timedatectl localectl sysctl modprobe insmod rmmod ' +
      'useradd userdel usermod groupadd groupdel groupmod adduser deluser passwd chpasswd visudo vipw chsh chfn ' +
      'mount umount losetup swapon swapoff fdisk sfdisk parted mkfs mke2fs mkswap wipefs cryptsetup lvm pvcreate vgcreate lvcreate diskutil hdiutil fsck ' +
      'iptables ip6tables nft ufw firewall-cmd pfctl ifconfig route nmcli networksetup scutil ' +
      'reboot shutdown halt poweroff init telinit crontab at batch killall pkill skill xkill nsenter unshare chroot pivot_root ' +
      'apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk emerge snap flatpak brew port nix-env nix-channel choco winget scoop softwareupdate ' +
      'defaults dscl spctl csrutil nvram tmutil pmset osascript xattr setcap setenforce update-alternatives ldconfig depmod ' +
      'mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat debugfs efibootmgr grub-install update-grub kexec ip tc renice taskkill mknod insserv',
    CHANGES,
  ),
  kill: { mentions: true, withValue: '-s -n', judge: kill },
  systemd: CHANGES,
  ...each('security', { always: 'secret_access' } as ProgramSpec),
  ...each(
    'pass op bw lpass gopass vault keyctl secret-tool kwallet-query gpg gpg2 gpg-agent ssh-add ssh-agent aws-vault chamber doppler sops age keybase',
    {
      always: 'secret_access',
      unless: HELP,
    } as ProgramSpec,
  ),
  'ssh-keygen': { always: 'secret_access', unless: HELP },
  ...each('history fc', { always: 'secret_access' } as ProgramSpec),
  printenv: { mentions: true, judge: printEnvironment },
  ...each('export declare typeset set compgen', { mentions: true, judge: dumpVariables } as ProgramSpec),
  ...each('alias enable hash shopt bind complete', { always: 'unresolved', mentions: true } as ProgramSpec),
  fuser: { flags: { system_change: '-k --kill' } },
  strace: { wraps: { skip: 0 }, withValue: '-o -e -p', flags: { system_change: '-p' }, writeOptions: '-o' },
  gdb: { always: 'inline_code', unless: HELP },
  lldb: { always: 'inline_code', unless: HELP },
}
