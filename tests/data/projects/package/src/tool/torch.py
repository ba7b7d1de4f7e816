import scipy
thing = scipy
