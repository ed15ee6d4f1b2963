import ssh2 from 'ssh2';

/**
 * A new Ed25519 key pair in OpenSSH format. One in about 250 pairs that ssh2 generates has a key that neither ssh2 nor
 * OpenSSH can read, so such a pair is thrown away.
 */
export function sshKeyPair(): { private: string; public: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}
