internal import CGPIOD

extension NodeConfiguration.Bias {
    /// The same for libgpiod.
    var inC: cgpiod_bias {
        switch self {
        case .asIs: CGPIOD_BIAS_AS_IS
        case .pullUp: CGPIOD_BIAS_PULL_UP
        case .pullDown: CGPIOD_BIAS_PULL_DOWN
        case .disabled: CGPIOD_BIAS_DISABLED
        }
    }
}

extension NodeConfiguration.Drive {
    /// The same for libgpiod.
    var inC: cgpiod_drive {
        switch self {
        case .pushPull: CGPIOD_DRIVE_PUSH_PULL
        case .openDrain: CGPIOD_DRIVE_OPEN_DRAIN
        case .openSource: CGPIOD_DRIVE_OPEN_SOURCE
        }
    }
}
