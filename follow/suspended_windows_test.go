package follow

const followerOf = "FOLLOW_TEST_FOLLOW"

func followAlone(string) error { return nil } // there is no SIGSTOP to test with
